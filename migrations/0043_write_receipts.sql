CREATE TABLE `write_receipts` (
	`id` text PRIMARY KEY NOT NULL,
	`is_void` integer NOT NULL
) WITHOUT ROWID;
