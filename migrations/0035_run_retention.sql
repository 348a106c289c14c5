ALTER TABLE `workspaces` ADD `keep_runs_days` integer;--> statement-breakpoint
CREATE INDEX `chat_messages_workspace` ON `chat_messages` (`workspace_id`,`created_date`,`id`);