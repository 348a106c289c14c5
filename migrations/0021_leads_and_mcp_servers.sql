CREATE TABLE `leads` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`chatflowid` text NOT NULL,
	`chat_id` text NOT NULL,
	`name` text,
	`email` text,
	`phone` text,
	`created_date` text NOT NULL,
	FOREIGN KEY (`chatflowid`) REFERENCES `chatflows`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `leads_flow` ON `leads` (`chatflowid`,`created_date`);--> statement-breakpoint
ALTER TABLE `chatflows` ADD `mcp_server` text;