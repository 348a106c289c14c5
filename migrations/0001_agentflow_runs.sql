CREATE TABLE `flow_versions` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`flow_id` text NOT NULL,
	`version` integer NOT NULL,
	`flow_data` text NOT NULL,
	`author` text,
	`note` text,
	`created_date` text NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`flow_id`) REFERENCES `chatflows`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `flow_versions_flow` ON `flow_versions` (`flow_id`,`version`);--> statement-breakpoint
ALTER TABLE `workspaces` ADD `run_limits` text;--> statement-breakpoint
ALTER TABLE `chatflows` ADD `published_version` integer;--> statement-breakpoint
ALTER TABLE `chatflows` ADD `published_date` text;--> statement-breakpoint
ALTER TABLE `chatflows` ADD `run_limits` text;--> statement-breakpoint
ALTER TABLE `execution_steps` ADD `is_copied` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `executions` ADD `ended_by` text;--> statement-breakpoint
ALTER TABLE `executions` ADD `work_seconds` real DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `executions` ADD `replay_of` text;--> statement-breakpoint
ALTER TABLE `executions` ADD `replay_from` text;--> statement-breakpoint
ALTER TABLE `executions` ADD `parent_execution_id` text;--> statement-breakpoint
ALTER TABLE `executions` ADD `is_starred` integer DEFAULT false NOT NULL;--> statement-breakpoint
INSERT INTO `flow_versions` (`id`, `workspace_id`, `flow_id`, `version`, `flow_data`, `created_date`)
SELECT `id` || '@' || `version`, `workspace_id`, `id`, `version`, `flow_data`, `updated_date` FROM `chatflows`;
