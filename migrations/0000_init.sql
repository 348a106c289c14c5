CREATE TABLE `organization_members` (
	`organization_id` text NOT NULL,
	`user_id` text NOT NULL,
	`is_admin` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`organization_id`, `user_id`),
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `organization_members_user` ON `organization_members` (`user_id`);--> statement-breakpoint
CREATE TABLE `organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`created_date` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `roles` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`name` text NOT NULL,
	`permissions` text NOT NULL,
	`created_date` text NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`password_hash` text NOT NULL,
	`status` text DEFAULT 'active' NOT NULL,
	`active_workspace_id` text NOT NULL,
	`last_login` text,
	`created_date` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email`);--> statement-breakpoint
CREATE TABLE `workspace_members` (
	`workspace_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role_id` text,
	PRIMARY KEY(`workspace_id`, `user_id`),
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`role_id`) REFERENCES `roles`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `workspace_members_user` ON `workspace_members` (`user_id`);--> statement-breakpoint
CREATE TABLE `workspaces` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`name` text NOT NULL,
	`wrapped_key` text NOT NULL,
	`created_date` text NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `workspaces_organization` ON `workspaces` (`organization_id`);--> statement-breakpoint
CREATE TABLE `apikeys` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`key_name` text NOT NULL,
	`key_hash` text NOT NULL,
	`key_hint` text NOT NULL,
	`permissions` text NOT NULL,
	`created_date` text NOT NULL,
	`updated_date` text NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `apikeys_hash` ON `apikeys` (`key_hash`);--> statement-breakpoint
CREATE INDEX `apikeys_workspace` ON `apikeys` (`workspace_id`,`updated_date`);--> statement-breakpoint
CREATE TABLE `rate_limits` (
	`key` text PRIMARY KEY NOT NULL,
	`window_end` integer NOT NULL,
	`count` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `rate_limits_window` ON `rate_limits` (`window_end`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`refresh_hash` text NOT NULL,
	`previous_hash` text,
	`rotated_date` text NOT NULL,
	`expires_date` text NOT NULL,
	`revoked_date` text,
	`created_date` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE TABLE `chatflows` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`flow_data` text NOT NULL,
	`type` text NOT NULL,
	`deployed` integer,
	`is_public` integer,
	`apikeyid` text,
	`chatbot_config` text,
	`api_config` text,
	`analytic` text,
	`speech_to_text` text,
	`text_to_speech` text,
	`follow_up_prompts` text,
	`category` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_date` text NOT NULL,
	`updated_date` text NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `chatflows_workspace` ON `chatflows` (`workspace_id`,`type`,`updated_date`,`id`);--> statement-breakpoint
CREATE TABLE `chat_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`chatflowid` text NOT NULL,
	`role` text NOT NULL,
	`content` text NOT NULL,
	`execution_id` text,
	`chat_type` text NOT NULL,
	`chat_id` text NOT NULL,
	`session_id` text NOT NULL,
	`memory_type` text,
	`source_documents` text,
	`used_tools` text,
	`file_annotations` text,
	`agent_reasoning` text,
	`reason_content` text,
	`file_uploads` text,
	`artifacts` text,
	`action` text,
	`lead_email` text,
	`follow_up_prompts` text,
	`created_date` text NOT NULL,
	FOREIGN KEY (`chatflowid`) REFERENCES `chatflows`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `chat_messages_session` ON `chat_messages` (`chatflowid`,`session_id`,`created_date`,`id`);--> statement-breakpoint
CREATE INDEX `chat_messages_chat` ON `chat_messages` (`chatflowid`,`chat_id`,`created_date`,`id`);--> statement-breakpoint
CREATE TABLE `credentials` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`credential_name` text NOT NULL,
	`encrypted_data` text NOT NULL,
	`created_date` text NOT NULL,
	`updated_date` text NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `credentials_workspace` ON `credentials` (`workspace_id`,`updated_date`,`id`);--> statement-breakpoint
CREATE TABLE `execution_steps` (
	`execution_id` text NOT NULL,
	`seq` integer NOT NULL,
	`path` text NOT NULL,
	`node_id` text NOT NULL,
	`taken_outputs` text,
	`item` text NOT NULL,
	`started_at` text NOT NULL,
	`finished_at` text NOT NULL,
	PRIMARY KEY(`execution_id`, `seq`),
	FOREIGN KEY (`execution_id`) REFERENCES `executions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `executions` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`agentflow_id` text NOT NULL,
	`flow_version` integer NOT NULL,
	`session_id` text NOT NULL,
	`chat_id` text NOT NULL,
	`state` text NOT NULL,
	`input` text NOT NULL,
	`error` text,
	`flow_state` text,
	`action` text,
	`is_public` integer DEFAULT false NOT NULL,
	`total_tokens` integer DEFAULT 0 NOT NULL,
	`total_cost` real,
	`lease_expires_date` text,
	`attempts` integer DEFAULT 1 NOT NULL,
	`created_date` text NOT NULL,
	`updated_date` text NOT NULL,
	`stopped_date` text,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`agentflow_id`) REFERENCES `chatflows`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `executions_workspace` ON `executions` (`workspace_id`,`created_date`,`id`);--> statement-breakpoint
CREATE INDEX `executions_flow_session` ON `executions` (`agentflow_id`,`session_id`,`created_date`);--> statement-breakpoint
CREATE INDEX `executions_state` ON `executions` (`state`,`lease_expires_date`);--> statement-breakpoint
CREATE TABLE `variables` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`value` text NOT NULL,
	`type` text NOT NULL,
	`created_date` text NOT NULL,
	`updated_date` text NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `variables_name` ON `variables` (`workspace_id`,`name`);