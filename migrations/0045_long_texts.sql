CREATE TABLE `long_texts` (
	`id` blob NOT NULL,
	`part` integer NOT NULL,
	`text` text NOT NULL,
	PRIMARY KEY(`id`, `part`)
);
--> statement-breakpoint
CREATE INDEX `long_texts_first` ON `long_texts` (`id`) WHERE "long_texts"."part" = 0;--> statement-breakpoint
CREATE INDEX `chatflows_flow_data_long` ON `chatflows` (`flow_data`) WHERE typeof("chatflows"."flow_data") = 'blob';--> statement-breakpoint
CREATE INDEX `flow_versions_flow_data_long` ON `flow_versions` (`flow_data`) WHERE typeof("flow_versions"."flow_data") = 'blob';--> statement-breakpoint
CREATE INDEX `custom_templates_flow_data_long` ON `custom_templates` (`flow_data`) WHERE typeof("custom_templates"."flow_data") = 'blob';