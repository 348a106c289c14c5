CREATE TABLE `file_deletions` (
	`key` text PRIMARY KEY NOT NULL,
	`due_date` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `file_deletions_due` ON `file_deletions` (`due_date`);--> statement-breakpoint
-- In place, where a rebuild would copy every file.
ALTER TABLE `files` ALTER COLUMN `data` TO `data` blob;--> statement-breakpoint
CREATE TRIGGER `files_deleted` AFTER DELETE ON `files` BEGIN
	INSERT OR REPLACE INTO `file_deletions` (`key`) VALUES (OLD.`workspace_id` || '/' || OLD.`id`);
END;
