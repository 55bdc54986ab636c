-- The state of wactl, version 1.
--
-- Every …_at and not_before is an INTEGER of nanoseconds since the Unix epoch, UTC; NULL is unknown or not yet.
-- Everything else that is NULL is unknown too: 0 and '' are values.

-- Where campaigns go: the sandbox and every emulator are targets of their own.
CREATE TABLE targets (
  target    INTEGER PRIMARY KEY,
  provider  TEXT NOT NULL,
  base_url  TEXT NOT NULL,
  number_id TEXT NOT NULL,
  UNIQUE (provider, base_url, number_id)
) STRICT;

-- Sending numbers and the portfolio whose messaging limit they share. Those without a known portfolio share one per provider and base URL.
CREATE TABLE numbers (
  number    INTEGER PRIMARY KEY,
  provider  TEXT NOT NULL,
  base_url  TEXT NOT NULL,
  number_id TEXT NOT NULL,
  portfolio TEXT,
  UNIQUE (provider, base_url, number_id)
) STRICT;

CREATE TABLE campaigns (
  campaign     INTEGER PRIMARY KEY,
  uid          BLOB NOT NULL UNIQUE,        -- 16 random bytes, the secret in every step's id
  target       INTEGER NOT NULL REFERENCES targets,
  name         TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  list_hash    TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  mapping_hash TEXT NOT NULL,
  skipped      TEXT NOT NULL,               -- JSON object: rule → rows left out
  messages     INTEGER NOT NULL,            -- steps that count plus skipped rows
  status       TEXT NOT NULL CHECK (status IN ('planned', 'running', 'stopped', 'finished')),
  started_at   INTEGER,
  finished_at  INTEGER,                     -- last stop or end
  stopped      TEXT,                        -- JSON: why it stopped
  machine      TEXT NOT NULL,               -- id of the machine that last held it
  host         TEXT NOT NULL,
  region       TEXT NOT NULL,
  options      TEXT NOT NULL,               -- JSON
  UNIQUE (target, name)
) STRICT;

-- One message to one recipient. step is campaign << 32 | position in the campaign from 0, so a campaign is one range of keys.
CREATE TABLE steps (
  step            INTEGER PRIMARY KEY,
  id              TEXT NOT NULL,            -- unique by step_ids
  number          INTEGER NOT NULL REFERENCES numbers DEFERRABLE INITIALLY DEFERRED, -- gives the provider too
  category        TEXT,                     -- template category
  phone           INTEGER,                  -- digits of the E.164 number
  bsuid           TEXT,
  ordinal         INTEGER NOT NULL,         -- which of this recipient's messages, from 0
  line            INTEGER NOT NULL,         -- line of the campaign file, from 1
  content         INTEGER NOT NULL,         -- first 8 bytes of the SHA-256 of number and message, as the file last had them
  last_inbound_at INTEGER,
  state           TEXT NOT NULL DEFAULT 'pending', -- 'pending', 'sent', 'held', 'failed' or 'uncertain'; a CHECK on it would cost as much as the row
  listed          INTEGER NOT NULL DEFAULT 1, -- 0: no longer in the file; while pending it is withdrawn and counts for nothing
  attempts        INTEGER NOT NULL DEFAULT 0, -- number of the last closed attempt
  tries           INTEGER NOT NULL DEFAULT 0, -- attempts that count as failures
  not_before      INTEGER,
  code            INTEGER NOT NULL DEFAULT 0  -- platform code of the last answer
) STRICT;

-- Steps by id. It is a table and not an index so that a million ids can go in sorted: in the order of steps that takes twice the time.
CREATE TABLE step_ids (
  id   TEXT PRIMARY KEY,
  step INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What a step says. A row is erased when its step is final, unless content is kept.
CREATE TABLE messages (
  step    INTEGER PRIMARY KEY,
  message TEXT NOT NULL                     -- JSON
) STRICT;

-- Intent and answer. An attempt without a class has no answer yet. This is also the ledger that the limits are rebuilt from.
CREATE TABLE attempts (
  step           INTEGER NOT NULL,
  attempt        INTEGER NOT NULL,          -- from 1
  intended_at    INTEGER NOT NULL,
  left_at        INTEGER,
  answered_at    INTEGER,
  class          TEXT,
  state          TEXT,                      -- where the answer put the step
  code           INTEGER,
  http_status    INTEGER,
  message_id     TEXT,
  wa_id          TEXT,
  user_id        TEXT,
  message_status TEXT,
  details        TEXT,
  PRIMARY KEY (step, attempt)
) STRICT, WITHOUT ROWID;
-- At most one request of a step is open at a time; after a kill these are the ones whose fate is unknown.
CREATE UNIQUE INDEX attempts_open ON attempts (step) WHERE class IS NULL;
CREATE INDEX attempts_recent ON attempts (intended_at);

-- What webhooks and exports told, append-only. step is NULL until the message is known.
CREATE TABLE statuses (
  status_row INTEGER PRIMARY KEY,
  step       INTEGER,
  message_id TEXT NOT NULL,
  status     TEXT NOT NULL,
  at         INTEGER NOT NULL,              -- nanoseconds, by the platform's clock
  code       INTEGER NOT NULL DEFAULT 0,
  raw        TEXT NOT NULL,                 -- JSON as received
  seen_at    INTEGER NOT NULL,
  UNIQUE (message_id, status)
) STRICT;
CREATE INDEX statuses_step ON statuses (step) WHERE step IS NOT NULL;

-- Orders to a running campaign, read by the sender; the newest of a kind holds.
CREATE TABLE controls (
  control  INTEGER PRIMARY KEY,
  campaign INTEGER NOT NULL REFERENCES campaigns,
  kind     TEXT NOT NULL CHECK (kind IN ('pause', 'rate')),
  value    REAL,                            -- pause: 1 or 0; rate: messages a second
  at       INTEGER NOT NULL
) STRICT;
CREATE INDEX controls_campaign ON controls (campaign, kind, control);

-- Who must not be written to. number NULL: by no number at all.
CREATE TABLE suppressions (
  suppression INTEGER PRIMARY KEY,
  phone       INTEGER,
  bsuid       TEXT,
  number      INTEGER REFERENCES numbers,
  scope       TEXT NOT NULL CHECK (scope IN ('all', 'marketing')),
  source      TEXT NOT NULL,                -- 'answer', 'inbound', 'file' or 'command'
  reason      TEXT NOT NULL,
  at          INTEGER NOT NULL,
  until_at    INTEGER
) STRICT;
CREATE UNIQUE INDEX suppressions_once ON suppressions (coalesce(phone, 0), coalesce(bsuid, ''), coalesce(number, 0), scope);

-- Messages that others sent from a number of ours (echoes, lists of people already written to): the ledgers count them beside attempts.
CREATE TABLE sightings (
  number INTEGER NOT NULL REFERENCES numbers,
  phone  INTEGER NOT NULL,
  at     INTEGER NOT NULL,
  source TEXT NOT NULL,
  PRIMARY KEY (number, at, phone)
) STRICT, WITHOUT ROWID;

-- Who may send: one row a business number and one a campaign. All rows of one holder share its token.
CREATE TABLE leases (
  kind    TEXT NOT NULL CHECK (kind IN ('campaign', 'number')),
  key     TEXT NOT NULL,
  token   TEXT NOT NULL,
  pid     INTEGER NOT NULL,
  started TEXT NOT NULL,                    -- start of that process, in the system's own unit
  space   TEXT NOT NULL,                    -- process id namespace
  host    TEXT NOT NULL,
  machine TEXT NOT NULL,
  boot    TEXT NOT NULL,
  since   INTEGER NOT NULL,                 -- nanoseconds
  beat_at INTEGER NOT NULL,
  PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX leases_token ON leases (token);
