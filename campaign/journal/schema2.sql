-- Version 2: what webhooks bring.

-- The account that a number belongs to and how it is dialled, as webhooks tell it; NULL is unknown.
ALTER TABLE numbers ADD COLUMN account TEXT;
ALTER TABLE numbers ADD COLUMN display TEXT;

-- Whether the content of final steps is kept; whoever settles a step later must know.
ALTER TABLE campaigns ADD COLUMN keep_content INTEGER NOT NULL DEFAULT 0;

-- Statuses whose sender is not known yet.
CREATE INDEX statuses_orphans ON statuses (message_id) WHERE step IS NULL;

-- Messages that people wrote, each once. They open service windows and count to the number's throughput. They are forgotten after eight days:
-- a webhook is repeated for seven.
CREATE TABLE inbound (
  inbound_row INTEGER PRIMARY KEY,
  message_id  TEXT NOT NULL UNIQUE,
  number_id   TEXT NOT NULL,                -- the platform's id, of a number that may not have sent yet
  phone       INTEGER,
  bsuid       TEXT,
  at          INTEGER NOT NULL
) STRICT;
CREATE INDEX inbound_recent ON inbound (number_id, at);
CREATE INDEX inbound_phone ON inbound (phone, at) WHERE phone IS NOT NULL;
CREATE INDEX inbound_age ON inbound (at);

-- Orders of the platform to whoever is sending: each fits the numbers and templates that it names. NULL: any.
CREATE TABLE orders (
  order_row INTEGER PRIMARY KEY,
  kind      TEXT NOT NULL CHECK (kind IN ('stop', 'level', 'tier')),
  account   TEXT,
  number_id TEXT,
  display   TEXT,
  template  TEXT,
  language  TEXT,
  value     INTEGER NOT NULL,
  code      INTEGER NOT NULL,
  reason    TEXT NOT NULL,
  at        INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX orders_once ON orders (kind, coalesce(account, ''), coalesce(number_id, ''), coalesce(display, ''), coalesce(template, ''),
  coalesce(language, ''), value, code, at);
