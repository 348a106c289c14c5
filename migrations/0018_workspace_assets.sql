CREATE TABLE `assistants` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`details` text NOT NULL,
	`credential` text,
	`icon_src` text,
	`type` text NOT NULL,
	`created_date` text NOT NULL,
	`updated_date` text NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `assistants_workspace` ON `assistants` (`workspace_id`,`type`,`updated_date`,`id`);--> statement-breakpoint
CREATE TABLE `custom_templates` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`flow_data` text NOT NULL,
	`description` text,
	`badge` text,
	`framework` text,
	`usecases` text,
	`type` text NOT NULL,
	`created_date` text NOT NULL,
	`updated_date` text NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `custom_templates_workspace` ON `custom_templates` (`workspace_id`,`updated_date`,`id`);--> statement-breakpoint
CREATE TABLE `oauth_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`owner_kind` text NOT NULL,
	`owner_id` text NOT NULL,
	`user_id` text NOT NULL,
	`encrypted_data` text NOT NULL,
	`expires_date` text NOT NULL,
	`created_date` text NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `oauth_requests_expiry` ON `oauth_requests` (`expires_date`);--> statement-breakpoint
CREATE TABLE `mcp_servers` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`server_url` text NOT NULL,
	`auth_type` text NOT NULL,
	`encrypted_auth` text,
	`expires_date` text,
	`refresh_lease` text,
	`color` text,
	`icon_src` text,
	`status` text NOT NULL,
	`status_reason` text,
	`tools` text,
	`tool_count` integer DEFAULT 0 NOT NULL,
	`checked_date` text,
	`created_date` text NOT NULL,
	`updated_date` text NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `mcp_servers_workspace` ON `mcp_servers` (`workspace_id`,`updated_date`,`id`);--> statement-breakpoint
CREATE TABLE `tools` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`color` text NOT NULL,
	`icon_src` text,
	`schema` text,
	`func` text,
	`created_date` text NOT NULL,
	`updated_date` text NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `tools_workspace` ON `tools` (`workspace_id`,`updated_date`,`id`);--> statement-breakpoint
CREATE TABLE `asset_usages` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`asset_kind` text NOT NULL,
	`asset` text NOT NULL,
	`owner_kind` text NOT NULL,
	`owner_id` text NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `asset_usages_asset` ON `asset_usages` (`workspace_id`,`asset_kind`,`asset`);--> statement-breakpoint
CREATE INDEX `asset_usages_owner` ON `asset_usages` (`owner_kind`,`owner_id`);--> statement-breakpoint
CREATE TABLE `unindexed_flows` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `apikeys` ADD `expires_date` text;--> statement-breakpoint
ALTER TABLE `apikeys` ADD `last_used_date` text;--> statement-breakpoint
ALTER TABLE `credentials` ADD `last_used_date` text;--> statement-breakpoint
ALTER TABLE `credentials` ADD `expires_date` text;--> statement-breakpoint
ALTER TABLE `credentials` ADD `refresh_lease` text;--> statement-breakpoint
ALTER TABLE `variables` ADD `encrypted_value` text;--> statement-breakpoint
INSERT INTO `unindexed_flows` (`id`, `workspace_id`) SELECT `id`, `workspace_id` FROM `chatflows`;
