CREATE TABLE `trigger_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`trigger_id` text NOT NULL,
	`flow_id` text NOT NULL,
	`source` text NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`due_date` text NOT NULL,
	`started_date` text,
	`finished_date` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_date` text,
	`execution_id` text,
	`duration` integer,
	`total_tokens` integer DEFAULT 0 NOT NULL,
	`total_cost` real,
	`replay_of` text,
	`payload` text,
	`request` text,
	`response` text,
	`callback` text,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`trigger_id`) REFERENCES `triggers`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `trigger_deliveries_trigger` ON `trigger_deliveries` (`trigger_id`,`due_date`,`id`);--> statement-breakpoint
CREATE INDEX `trigger_deliveries_workspace` ON `trigger_deliveries` (`workspace_id`,`due_date`,`id`);--> statement-breakpoint
CREATE INDEX `trigger_deliveries_open` ON `trigger_deliveries` (`state`,`next_attempt_date`);--> statement-breakpoint
CREATE INDEX `trigger_deliveries_execution` ON `trigger_deliveries` (`execution_id`);--> statement-breakpoint
CREATE TABLE `trigger_receipts` (
	`trigger_id` text NOT NULL,
	`key` text NOT NULL,
	`delivery_id` text NOT NULL,
	`expires_date` text NOT NULL,
	PRIMARY KEY(`trigger_id`, `key`),
	FOREIGN KEY (`trigger_id`) REFERENCES `triggers`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `trigger_receipts_expiry` ON `trigger_receipts` (`expires_date`);--> statement-breakpoint
CREATE TABLE `triggers` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`flow_id` text NOT NULL,
	`node_id` text,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`settings` text NOT NULL,
	`operations` text NOT NULL,
	`state` text NOT NULL,
	`state_reason` text,
	`next_due` text,
	`timing` text,
	`failures_in_row` integer DEFAULT 0 NOT NULL,
	`encrypted_secrets` text,
	`previous_secret_until` text,
	`created_date` text NOT NULL,
	`updated_date` text NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`flow_id`) REFERENCES `chatflows`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `triggers_workspace` ON `triggers` (`workspace_id`,`updated_date`,`id`);--> statement-breakpoint
CREATE INDEX `triggers_due` ON `triggers` (`state`,`next_due`);--> statement-breakpoint
CREATE UNIQUE INDEX `triggers_node` ON `triggers` (`flow_id`,`node_id`);--> statement-breakpoint
ALTER TABLE `workspaces` ADD `triggers_per_minute` integer;