CREATE TABLE `known_browsers` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`expires_date` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `known_browsers_expiry` ON `known_browsers` (`expires_date`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `browser_id` text;