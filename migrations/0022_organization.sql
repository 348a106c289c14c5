CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`email` text NOT NULL,
	`role_id` text,
	`workspaces` text NOT NULL,
	`invited_by` text NOT NULL,
	`created_date` text NOT NULL,
	`expires_date` text NOT NULL,
	`accepted_date` text,
	`revoked_date` text,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`role_id`) REFERENCES `roles`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invited_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `invitations_organization` ON `invitations` (`organization_id`);--> statement-breakpoint
CREATE INDEX `invitations_email` ON `invitations` (`email`);--> statement-breakpoint
CREATE TABLE `authenticators` (
	`user_id` text PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`last_step` integer DEFAULT 0 NOT NULL,
	`confirmed_date` text,
	`created_date` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `challenges` (
	`hash` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`user_id` text,
	`data` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`expires_date` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `challenges_expiry` ON `challenges` (`expires_date`);--> statement-breakpoint
CREATE TABLE `letter_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`user_id` text,
	`address` text NOT NULL,
	`subject` text DEFAULT '' NOT NULL,
	`expires_date` text NOT NULL,
	`ended_date` text,
	`created_date` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `letter_tokens_user` ON `letter_tokens` (`user_id`,`kind`);--> statement-breakpoint
CREATE INDEX `letter_tokens_expiry` ON `letter_tokens` (`expires_date`);--> statement-breakpoint
CREATE TABLE `letters` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`address` text NOT NULL,
	`user_id` text,
	`data` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_date` text,
	`sent_date` text,
	`error` text,
	`created_date` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `letters_due` ON `letters` (`due_date`);--> statement-breakpoint
CREATE INDEX `letters_created` ON `letters` (`created_date`);--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`public_key` blob NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`is_backed_up` integer DEFAULT false NOT NULL,
	`last_used_date` text,
	`created_date` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `passkeys_user` ON `passkeys` (`user_id`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`used_date` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `recovery_codes_user` ON `recovery_codes` (`user_id`);--> statement-breakpoint
CREATE TABLE `audit_events` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`in_workspace_id` text,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`actor_name` text NOT NULL,
	`event` text NOT NULL,
	`target_id` text NOT NULL,
	`target_name` text NOT NULL,
	`change` text,
	`request_id` text NOT NULL,
	`address` text,
	`created_date` text NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `audit_events_organization` ON `audit_events` (`organization_id`,`created_date`);--> statement-breakpoint
CREATE INDEX `audit_events_workspace` ON `audit_events` (`in_workspace_id`,`created_date`);--> statement-breakpoint
CREATE TABLE `login_activity` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text,
	`user_id` text,
	`method` text NOT NULL,
	`result` text NOT NULL,
	`device` text,
	`address` text,
	`country` text,
	`created_date` text NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `login_activity_organization` ON `login_activity` (`organization_id`,`created_date`);--> statement-breakpoint
CREATE INDEX `login_activity_created` ON `login_activity` (`created_date`);--> statement-breakpoint
CREATE TABLE `request_failures` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`method` text NOT NULL,
	`path` text NOT NULL,
	`status` integer NOT NULL,
	`message` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`created_date` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `request_failures_workspace` ON `request_failures` (`workspace_id`,`created_date`);--> statement-breakpoint
CREATE TABLE `identity_providers` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`issuer` text NOT NULL,
	`client_id` text NOT NULL,
	`client_secret` text NOT NULL,
	`is_enabled` integer DEFAULT false NOT NULL,
	`tested_date` text,
	`is_required` integer DEFAULT false NOT NULL,
	`default_role` text,
	`groups_claim` text DEFAULT 'groups' NOT NULL,
	`group_roles` text NOT NULL,
	`created_date` text NOT NULL,
	`updated_date` text NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `identity_providers_organization` ON `identity_providers` (`organization_id`);--> statement-breakpoint
CREATE TABLE `organization_domains` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`domain` text NOT NULL,
	`proof` text NOT NULL,
	`proven_date` text,
	`created_date` text NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organization_domains_domain` ON `organization_domains` (`organization_id`,`domain`);--> statement-breakpoint
CREATE INDEX `organization_domains_proven` ON `organization_domains` (`domain`,`proven_date`);--> statement-breakpoint
CREATE TABLE `scim_group_members` (
	`organization_id` text NOT NULL,
	`group_id` text NOT NULL,
	`user_id` text NOT NULL,
	PRIMARY KEY(`group_id`, `user_id`),
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`group_id`) REFERENCES `scim_groups`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `scim_group_members_user` ON `scim_group_members` (`user_id`);--> statement-breakpoint
CREATE TABLE `scim_groups` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`display_name` text NOT NULL,
	`external_id` text,
	`in_workspace_id` text,
	`role_id` text,
	`created_date` text NOT NULL,
	`updated_date` text NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`role_id`) REFERENCES `roles`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `scim_groups_name` ON `scim_groups` (`organization_id`,`display_name`);--> statement-breakpoint
CREATE TABLE `scim_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`name` text NOT NULL,
	`token_hash` text NOT NULL,
	`created_by` text NOT NULL,
	`last_used_date` text,
	`created_date` text NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `scim_tokens_hash` ON `scim_tokens` (`token_hash`);--> statement-breakpoint
CREATE INDEX `scim_tokens_organization` ON `scim_tokens` (`organization_id`);--> statement-breakpoint
CREATE TABLE `user_identities` (
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` text NOT NULL,
	`email` text NOT NULL,
	`created_date` text NOT NULL,
	`last_used_date` text,
	PRIMARY KEY(`issuer`, `subject`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `user_identities_user` ON `user_identities` (`user_id`);--> statement-breakpoint
ALTER TABLE `organization_members` ADD `role_id` text REFERENCES roles(id);--> statement-breakpoint
ALTER TABLE `organization_members` ADD `disabled_date` text;--> statement-breakpoint
ALTER TABLE `organization_members` ADD `external_id` text;--> statement-breakpoint
ALTER TABLE `organization_members` ADD `created_date` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `roles` ADD `description` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `roles` ADD `kind` text DEFAULT 'workspace' NOT NULL;--> statement-breakpoint
ALTER TABLE `roles` ADD `built_in` text;--> statement-breakpoint
CREATE INDEX `roles_organization` ON `roles` (`organization_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `roles_built_in` ON `roles` (`organization_id`,`built_in`);--> statement-breakpoint
ALTER TABLE `users` ADD `email_verified_date` text;--> statement-breakpoint
ALTER TABLE `users` ADD `is_installer` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `deleted_date` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `active_workspace_id` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `method` text DEFAULT 'password' NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `identity_provider_id` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `confirmed_date` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `device` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `address` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `country` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `last_seen_date` text;--> statement-breakpoint
INSERT INTO `roles` (`id`, `organization_id`, `name`, `description`, `kind`, `built_in`, `permissions`, `created_date`)
SELECT lower(hex(randomblob(16))), o.`id`, r.`name`, r.`description`, 'workspace', r.`built_in`, '[]', o.`created_date`
FROM `organizations` o CROSS JOIN (
	SELECT 'workspace-admin' AS `built_in`, 'Workspace Admin' AS `name`, 'Does everything in a workspace' AS `description`
	UNION ALL SELECT 'editor', 'Editor', 'Builds and runs flows, and manages what they use'
	UNION ALL SELECT 'viewer', 'Viewer', 'Sees flows and their results, and runs them'
) r;--> statement-breakpoint
UPDATE `users` SET `is_installer` = true WHERE `id` = (SELECT `id` FROM `users` ORDER BY `created_date`, `id` LIMIT 1);
