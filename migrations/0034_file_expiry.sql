ALTER TABLE `files` ADD `expires_date` text;--> statement-breakpoint
CREATE INDEX `files_expiry` ON `files` (`expires_date`) WHERE "files"."expires_date" is not null;