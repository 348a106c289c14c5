CREATE TABLE `import_rows` (
	`import_id` text NOT NULL,
	`list` text NOT NULL,
	`seq` integer NOT NULL,
	`row` text NOT NULL,
	PRIMARY KEY(`import_id`, `list`, `seq`),
	FOREIGN KEY (`import_id`) REFERENCES `workspace_imports`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `workspace_imports` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`parts` integer NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`actor` text NOT NULL,
	`choices` text DEFAULT '{}' NOT NULL,
	`report` text,
	`rows_done` integer DEFAULT 0 NOT NULL,
	`rows_total` integer,
	`attempt` integer DEFAULT 0 NOT NULL,
	`lease_until` text,
	`created_date` text NOT NULL,
	`updated_date` text NOT NULL,
	`ended_date` text,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `workspace_imports_workspace` ON `workspace_imports` (`workspace_id`,`created_date`);