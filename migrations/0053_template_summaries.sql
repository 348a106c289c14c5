ALTER TABLE `custom_templates` ADD `summary` text;--> statement-breakpoint
INSERT INTO `unindexed_flows` (`id`, `workspace_id`) SELECT `id`, `workspace_id` FROM `custom_templates` WHERE `type` <> 'Tool' ON CONFLICT (`id`) DO NOTHING;
