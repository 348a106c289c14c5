-- Stored flows keep answering everyone. New rows name their callers, so the schema has no default.
ALTER TABLE `chatflows` ADD `callers` text DEFAULT 'everyone' NOT NULL;
