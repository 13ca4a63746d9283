-- `npm run migrate -- picture` writes this file, and keeps its comments.

-- Applied migrations, as Prisma records them.
CREATE TABLE _prisma_migrations (
  id character varying(36) PRIMARY KEY,
  checksum character varying(64) NOT NULL,
  finished_at timestamptz,
  migration_name character varying(255) NOT NULL,
  logs text,
  rolled_back_at timestamptz,
  started_at timestamptz NOT NULL DEFAULT now(),
  applied_steps_count integer NOT NULL DEFAULT 0
);
INSERT INTO _prisma_migrations (migration_name, checksum) VALUES
  ('20261121000000_rooms', '8ba7812bbaa23f7f74583baacf110f55571d44458150526e37314fd02475430e'),
  ('20261121000100_accounting', '11afc484f61f405cdd30cf698df795504faf3d81e646ccee5260c3aa25b69823'),
  ('20261121000200_accounting_together', '60b24eae628e004bd2a2dad3d1cc60434bfb22fc255d97829c547e9dfaebcafa'),
  ('20261121000300_routing', 'de9ee1ea79228aa20b1b9ac2db030f3bd052fe5a811d310fe11516c2351f5814'),
  ('20261121000600_portal', 'cbdfa224ed69206fe2bcab4f9c90e402bd98056aeb69d539dcaed302836cae1e'),
  ('20261121000610_mail', 'a21f69c6d13371e6934c7ba83d16baada37837e590ba1347262eeb3b901b57c2'),
  ('20261121000650_key_creator', '7daadf8b87c6b7155227dda40967ffea7a56c37c570d62d1cb3eb5c15ac2c483'),
  ('20261121000700_credentials', 'ef212bf1c59777f1a4d6080ed2897aab03376f50d64eec3e8d6a3ff4d6e234c4'),
  ('20261121000800_settlement_detail', '5d6a9fe33a9a3372e040d7271291fd5bbcf0c17fc1bd3ceb7b24f559e6671d5b'),
  ('20261122000100_credit_and_consent', '83bbe6b428f76a5bb5dae17ca105620723bb1f932409e36568491aaf089e6c2c'),
  ('20261122000300_access', 'd2d883c0ae46b11c68d69cb5e919e96e0c39a16dbbee0457ae28d0b0364d435d'),
  ('20261122000400_supplier_stream_usage', '3692b1ffb419f07401e270e1804a42236918c634614cf64fe35815fe532f2366'),
  ('20261122000500_audit_chain', 'c2a6af5bee9cdec2688c91f4b39923d620e84912417655501dd734bf7b70dc98'),
  ('20261122000700_repeatable_scripts', 'aff214602a7f323ad608e4d3192663d6cbe1ae4ee8053c687c03c7b13ed86334'),
  ('20261122000800_jobs', '3487e0df22b8f72317a64f4e616132512e1bbb28f756e2cdb6cb238be9c69d0f'),
  ('20261122002000_billing', '694cf903f51eaf5de50ead9f027cb68ec52edb7bb47575a72d3214630f4a9898'),
  ('20261123001000_budget_alerts', 'a7bf0302e77a5f01716709076be23bfc31b287102430be4a08e7c4d94b02fb4e'),
  ('20261123001100_alert_webhook', 'fde719d5a4e091e69d84ef2ea9077cb07afec1c3cbde83d74192717c226f1e1c'),
  ('20261123005000_promotions', '792bfa652fde0c33b52e29c04db069d540eb04dbeb728cad92b39676b81fd2a5'),
  ('20261123005100_audit_runs', '089bc3ead9c1bdba69abd1724e9a0904043632ae368e87a76a36400b0d509cf3'),
  ('20261123009000_lean_turns', 'c4aff4db26a3188a607d92f3fec2090f0c4fdb6fe0e51fe257fc848eae46b244'),
  ('20261123009000_refusal_details', 'a7e632231db9f61c77b0462c54145cce891b574b02e687c30db13d1e0cd21920'),
  ('20261124010000_auto_topup', '1ef1b038a55ab18e820efd0fc43a5c2f13555dfea77af85d8f67b07f7470c146'),
  ('20261124020100_ledger_kinds', 'fe1db5c5558235afe6bc839b6e16087c46703a42972f5a7f5971ab2b9b9a7eef'),
  ('20261124020200_refusal_wallet', '480ff0d15f89d402234f01d4cff4c65ef604d1340c88b3e3989fb8a1d228c555'),
  ('20261124023000_delegated_payers', '1a34bc040738b54c782c27c36bd09618f0b117c32fd122f5bf8f4c1979218e05'),
  ('20261124024000_billing_notices', 'e645e79d358c0fb277256e091126214a69253d2f04bd6040f88ecf75ce2af850'),
  ('20261124030100_refusal_hour', '22f5a24f9fed4b1c6f4b6d363e385a5b3f20a366759020f03a35d8f5dd7ed1d6'),
  ('20261124040100_saved_reports', '523ed18ebf180ed39ce44d3143e4634a0dad693eefa067ac07f2e3de8d4a8780'),
  ('20261124050000_autorouter_settings', 'd87b885e1c4a1df99bbb1bb137de0253c38747d32952104df930015309682747'),
  ('20261124050100_quality_opt_in', 'dae1712e296c8e5d9a62104bf8dcf76c7a4d409afbbee7ec1ffae44dd7227fb4'),
  ('20261124050200_conversations', '8696dbb231a606b607ea9409fbb6970e1ff9a74de00b3ca58153b5b5ebb2caee'),
  ('20261124060100_report_exports', 'fed07a6dc57dd9141dce54eaff30ccb0a3be8e76eadc6ba5084f76228bd7baf2'),
  ('20261124060200_report_schedules', '279bebd719913e0deec925e9f0b477500f8486f85e57020327f62057508e7f01'),
  ('20261124061000_long_context_prices', 'c8f09dffd0310d5d13c9c3b97f8cb7aeed1877ed21f23d8b73e4dc9b16126d8f'),
  ('20261124070000_reports_of_departments', '0ee25dddeb2adeaa819e849cc401f55283afd6678ea95b2b28e409a3f748775b'),
  ('20261124080100_stored_responses', '843d73d8595b2d3bb1793574be486ffe5bfe68633fa3c18329256dd65eea6de9'),
  ('20261124080200_supplier_speaks_responses', 'ed1d79ddd0b0cd3ab8cc47e7923396c948b86502a3c0d3c3d952ff5b3043a05e'),
  ('20261124091001_payer_agreements_that_end', '3d83a7c03ca540ef415772664aa700b92b9798f46afc95a192dc8dd0c89e84a2'),
  ('20261124091010_asked_exports_first', '8c182bb9c8ec25329d92859e49ab1bbd57b8b9980b41ecc640ebd2655b0149fe'),
  ('20261124093001_request_log_indexes', 'b56a6070bb702c4196eefe51f8e87aa03a1983b542cbef0f0cbbbc205d767cf9'),
  ('20261124094001_playground', '1e683591d0d2e76503a4a3a844430963cc9c5e3bcacbb7d881fd510d89b9ea26'),
  ('20261124095001_guardrails', '32c320c0acecb791c55d377b3898fe2de3866197236662b38989ae13a4f38624'),
  ('20261124104001_guardrail_webhooks', '862d7f95a1ca87bea1b1b18a4712a2e0708ecf5df27a74ef67d5b1b675b5f657'),
  ('20261124105001_supplier_extras', '47af4b36e350a08730ebb7d5bab4d86b5e5d2e9b086ed43f5a1f5925ad533776'),
  ('20261124106001_managed_requests', 'f42648a201a115fa6a6f228fe72c9bc4297bb972cd28f0d182d615a4fa2142c0'),
  ('20261124130000_key_origins', '5c609a8141d64ad1e2ce36c1bf99b39b8606fb35488477fe1b43e92e6645e68f'),
  ('20261126130001_stored_files', '6b17d4f3d8e79458dda793d6447cc1b90ec6a4d2367e843fc388f9abe8fb9e6d'),
  ('20261126130002_batches', 'b844301d11ffd7853582722233592b6bf9f61b3f50b59b32c0081cfbe02c017c'),
  ('20261127110000_ways_to_usage', '930acea77890831b91ee915c0152c6c8d836f6c30b3dfe58de35fcff3101eef7'),
  ('20261127120000_tier_prices', '7b090e3beefecc6e2249563034d7f1315dc98508df58ff9737dc1e3ec85c8b1a'),
  ('20261127120100_output_field', '7ceaa1df09c85ad9b413f8d84c87ed1f1732cf167ef6b9db59eb5d648bbe3fc8'),
  ('20261127140000_supplier_takes_batches', '364ef905b37e6575d43163522b4a1b9d810ac8a41891e952d656e57bf201862b'),
  ('20261127140100_supplier_batches', '8730c9ecd46c5fe08d8885a2d1307e2b7440c71ca2a8373d9af01d27530f6f0f'),
  ('20261127140200_batch_line_webhook_notes', 'a49b4e47c95e79dfae97da7579402e47bd1bef26072ffd8141902dd5558ffd9b'),
  ('20261127151000_usage_by_day', '5f28f1df6fd543d7b293dfd6ee46715621adff1760722ee9f96424e0e3cdaf30'),
  ('20261127152000_usage_of_batches', 'd0e1f2b4798936124612462e6efdc747ae72688bd8d0f9a523572f8d6ecac05b'),
  ('20261127160000_batch_of_hold', '6154ed59506a1807f2594ddb05de588fcf63fd0ada2e1f104d25a4792f292e68'),
  ('20261127160000_usage_by_model', '65c04200ee93eea7adaca0eb304736960567ad9bc8297bbb7e433b4cddfbd473'),
  ('20261127161000_model_lifecycle', 'f297d788002f57a2a7166f2edc424079e3b4b73b8c2f695b7ecc8635655f8ab0'),
  ('20261127161000_refusals_by_day', 'ecb4bd0ba4908b604d7c39bc79b706246778f3fe2fe3a1970d1eb2df9aaeabe6'),
  ('20261127170000_posting_in_two_steps', '9b2d01216a366ccc83d0074896c9bcc830dd3147cd898987f6d0e7b2ea87cbbe'),
  ('20261127171000_version_of_days', 'deefc4e9827142f936f226bacfb03d4cc6109edd3e686063a158e145d6d1fc27'),
  ('20261127173000_attempts_of_calls', '85876113afefc5ee285136bd838dce4135914b3280a819a21710c26bbe3cf308'),
  ('20261127200000_spare_holds', '858816b9594dd2d63d40037170c4b72f9719575015b62f7fc66805fd7865a9c5'),
  ('20261128010000_refunds_one_by_one', 'd886d14b837fd8857c26c770e561e49e4657cb1b1bf677b1679df8b4920ed176'),
  ('20261128010100_debts_count_in_wallets', '0fa1e7c1740d7ced178b38ee48f7ced51dff1ff61e5694574b54cd5eb2ebe1f9'),
  ('20261128010200_wallets_that_owe', '9446b96ce4e7207ccce0f61cf6cac98da78e2ebdbab0e75d4bd695a6a3cc12da'),
  ('20261128010300_debts_of_payers', '344f19a6cfa454388c22f424efa029704c5a6addeb6362e1622a780e41bcd827'),
  ('20261128020000_auto_topup_pauses', '6f6911d3fa8ec0703b5160aaa1e79115e5fa3ce122277f3e30f430a4d71546a7'),
  ('20261128020100_payment_mismatches', 'a5d97589a0b3a16d84d1f0cba8fec8ee9f6b139983bfb6e30959afc058cc6e5c'),
  ('20261128030000_function_schemas', '4477de07c8c58e18d0b45391e17da1495f7a8a955fa26f6574e22d16109a9207'),
  ('20261128040000_sealed_addresses', '11fb151219727fedd57e9da6a2ce203019d028fa0fa8d0568d1eacb53d22c71e'),
  ('20261129000000_route_profiles', '41120b7b773ca44ac44c30732ef46fda5638d14117bd5e5554888d312a6739c7'),
  ('20261129000100_learned_refusals', 'fce5d04a9b255e2f2ea3491e8dc1f09aebe25ab93b8fac1a45a6deff99b20165'),
  ('20261130051000_processor_problems', '8911974a041b8391cd925b851f455afb20bc319b5107323ce9699e6cf13c9569'),
  ('20261130070000_moments_of_other_zones', '1799b07f0102dc6e921fa95a798f6c30c7429cf1b3eba52cb8681602029c3802'),
  ('20261201040000_ids_of_rejections', '59c0938836fc6a23ebb2a4ef5983b824f17bfcabb87fdae11a935c37e658cd1b');

-- Each release has its SQL functions and views in a schema of its own, so that two releases can use one database. One
-- row per schema: its time of creation, and when a process that uses it last reported.
CREATE TABLE function_schema (
  name text PRIMARY KEY,
  made_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now()
);

-- Applied texts of functions and views, which are not part of migrations: app/domain/<room>/sql/<name>.sql.
CREATE TABLE repeatable_script (
  name text,
  -- SHA-256 of the text, in hexadecimal digits.
  checksum text,
  applied_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (name, checksum)
);

-- The newest migration that a program must know to use this database. A migration that removes something sets it; a
-- program that does not know it refuses to start.
CREATE TABLE schema_floor (
  is_only boolean DEFAULT true PRIMARY KEY CHECK (is_only),
  migration text NOT NULL
);
INSERT INTO schema_floor (migration) VALUES
  ('20261127200000_spare_holds');
