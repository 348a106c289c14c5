CREATE TABLE `flow_sources` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`flow_id` text NOT NULL,
	`version_id` text NOT NULL,
	`name` text NOT NULL,
	`size` integer NOT NULL,
	`digest` text NOT NULL,
	`object_id` text NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`flow_id`) REFERENCES `chatflows`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`version_id`) REFERENCES `flow_versions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `flow_sources_flow` ON `flow_sources` (`flow_id`);--> statement-breakpoint
CREATE INDEX `flow_sources_version` ON `flow_sources` (`version_id`,`name`);--> statement-breakpoint
CREATE INDEX `flow_sources_digest` ON `flow_sources` (`workspace_id`,`digest`);--> statement-breakpoint
CREATE INDEX `flow_sources_object` ON `flow_sources` (`workspace_id`,`object_id`,`size`);--> statement-breakpoint
CREATE TRIGGER `flow_sources_deleted` AFTER DELETE ON `flow_sources`
WHEN NOT EXISTS (SELECT 1 FROM `flow_sources` WHERE `workspace_id` = OLD.`workspace_id` AND `object_id` = OLD.`object_id`) BEGIN
	INSERT OR REPLACE INTO `file_deletions` (`key`) VALUES (OLD.`workspace_id` || '/' || OLD.`object_id`);
END;
