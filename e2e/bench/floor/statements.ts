/** The database of the floor: rows as a small workspace has them, and the statements that a prediction needs at least. */
const nodes = Array.from({ length: 20 }, (_, index) => ({ id: `node_${index}`, data: 'x'.repeat(200) }))

export const SCHEMA = `
  CREATE TABLE flows (id TEXT PRIMARY KEY, workspace TEXT, version INTEGER, data TEXT);
  CREATE TABLE variables (id TEXT PRIMARY KEY, workspace TEXT, name TEXT, value TEXT);
  CREATE INDEX variables_workspace ON variables (workspace);
  CREATE TABLE credentials (id TEXT PRIMARY KEY, workspace TEXT, data TEXT);
  CREATE INDEX credentials_workspace ON credentials (workspace);
  CREATE TABLE apikeys (id TEXT PRIMARY KEY, hash TEXT UNIQUE, workspace TEXT);
  CREATE TABLE executions (id TEXT PRIMARY KEY, workspace TEXT, flow TEXT, session TEXT, state TEXT, data TEXT, created TEXT);
  CREATE INDEX executions_session ON executions (session);
  CREATE TABLE messages (id TEXT PRIMARY KEY, workspace TEXT, flow TEXT, session TEXT, role TEXT, content TEXT, created TEXT);
  CREATE INDEX messages_session ON messages (session, created);
  INSERT INTO flows VALUES ('f', 'w', 1, '${JSON.stringify({ nodes })}');
  INSERT INTO variables VALUES ('v', 'w', 'name', 'value');
  INSERT INTO credentials VALUES ('c', 'w', 'secret');
  INSERT INTO apikeys VALUES ('k', 'hash', 'w');`

export const READS = [
  'SELECT id, version, data FROM flows WHERE id = ?',
  'SELECT * FROM variables WHERE workspace = ?',
  'SELECT * FROM credentials WHERE workspace = ?',
  'SELECT id, workspace FROM apikeys WHERE hash = ?',
  'SELECT role, content FROM messages WHERE session = ? ORDER BY created LIMIT 100',
  'SELECT id, state FROM executions WHERE session = ? LIMIT 1',
]

export const WRITES = [
  'INSERT OR REPLACE INTO executions VALUES (?, ?, ?, ?, ?, ?, ?)',
  'INSERT OR REPLACE INTO messages VALUES (?, ?, ?, ?, ?, ?, ?)',
  'INSERT OR REPLACE INTO messages VALUES (?, ?, ?, ?, ?, ?, ?)',
]
