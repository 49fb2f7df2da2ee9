/** Each terminus that stores, and the place of its file of the key `a` below `vardir`. */
export const stores: readonly (readonly ['facts' | 'node' | 'catalog' | 'report', string, string])[] = [
  ['facts', 'json', 'server_data/facts/a.json'],
  ['facts', 'yaml', 'yaml/facts/a.yaml'],
  ['node', 'json', 'server_data/node/a.json'],
  ['node', 'yaml', 'yaml/node/a.yaml'],
  ['node', 'msgpack', 'server_data/node/a.msgpack'],
  ['catalog', 'json', 'server_data/catalog/a.json'],
  ['catalog', 'yaml', 'yaml/catalog/a.yaml'],
  ['catalog', 'msgpack', 'server_data/catalog/a.msgpack'],
  ['report', 'yaml', 'state/last_run_report.yaml'],
  ['report', 'json', 'state/last_run_report.yaml'],
  ['report', 'msgpack', 'state/last_run_report.yaml'],
]
