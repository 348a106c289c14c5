CREATE TABLE `chat_message_feedback` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`chatflowid` text NOT NULL,
	`chat_id` text NOT NULL,
	`message_id` text NOT NULL,
	`rating` text,
	`content` text,
	`created_date` text NOT NULL,
	FOREIGN KEY (`chatflowid`) REFERENCES `chatflows`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`message_id`) REFERENCES `chat_messages`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `chat_message_feedback_message` ON `chat_message_feedback` (`message_id`);--> statement-breakpoint
CREATE INDEX `chat_message_feedback_flow` ON `chat_message_feedback` (`chatflowid`,`created_date`);--> statement-breakpoint
CREATE TABLE `files` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`chatflowid` text NOT NULL,
	`chat_id` text NOT NULL,
	`name` text NOT NULL,
	`mime` text NOT NULL,
	`size` integer NOT NULL,
	`data` blob NOT NULL,
	`created_date` text NOT NULL,
	FOREIGN KEY (`chatflowid`) REFERENCES `chatflows`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `files_chat` ON `files` (`chatflowid`,`chat_id`,`name`);--> statement-breakpoint
CREATE INDEX `files_workspace` ON `files` (`workspace_id`,`created_date`,`id`,`size`);