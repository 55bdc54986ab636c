-- Version 3: what was uploaded.

-- A file that a number has uploaded: the platform keeps it for 30 days under its id, which only this number may use.
CREATE TABLE media (
  number      INTEGER NOT NULL REFERENCES numbers,
  sum         TEXT NOT NULL,                -- SHA-256 of the content, hexadecimal
  media_id    TEXT NOT NULL,
  uploaded_at INTEGER NOT NULL,
  PRIMARY KEY (number, sum)
) STRICT, WITHOUT ROWID;
