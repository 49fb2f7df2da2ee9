/** A row of docs/protocol.md that one request does not show, and the test that does; paths are below `test/`. */
export interface Elsewhere {
  readonly section: string
  readonly row: string
  readonly test: string
}

/** Rows that need more than a request: a proxy, a load, a program, a whole run of an agent. */
export const elsewhere: readonly Elsewhere[] = [
  { section: '1.1', row: 'TLS that a proxy ends', test: 'server/header-identity.e2e.test.ts' },
  { section: '1.2', row: 'what an agent sends', test: 'interop/real-agent.oracle.test.ts' },
  { section: '1.3', row: '429, 503 and Retry-After', test: 'network/client/client.e2e.test.ts' },
  { section: '2.1', row: 'a certificate from the first request on', test: 'interop/real-agent.oracle.test.ts' },
  { section: '2.2', row: 'server_list', test: 'network/client/client.e2e.test.ts' },
  { section: '2.3', row: 'the environment that the node belongs to', test: 'interop/real-agent.oracle.test.ts' },
  { section: '2.4', row: 'plug-ins', test: 'interop/real-agent.oracle.test.ts' },
  { section: '2.5', row: 'facts and catalog', test: 'interop/real-agent.oracle.test.ts' },
  { section: '2.6', row: 'files and report', test: 'interop/real-agent.oracle.test.ts' },
  { section: '3', row: 'check_environment', test: 'server/catalog.e2e.test.ts' },
  { section: '3', row: 'too much waits', test: 'server/catalog.e2e.test.ts' },
  { section: '4', row: 'static_catalogs_scope', test: 'server/static-scope.e2e.test.ts' },
  { section: '7', row: 'parts of files', test: 'server/static-files.e2e.test.ts' },
  { section: '7', row: 'code_id_command and code_content_command', test: 'server/versioned-code.e2e.test.ts' },
  { section: '8', row: 'mounts of fileserver.conf', test: 'server/mounts.e2e.test.ts' },
  { section: '10', row: 'what real Puppet Server answered, byte by byte', test: 'server/wire/recorded.e2e.test.ts' },
  { section: '12', row: 'puppetserver ca, action by action', test: 'server/ca-v1/real-tool.e2e.test.ts' },
  { section: '12', row: 'all certificate extensions', test: 'server/extension-names.e2e.test.ts' },
  { section: '13', row: 'tokens', test: 'server/tokens.e2e.test.ts' },
  { section: '14', row: 'a server that is told to end', test: 'server/rolling-restart.oracle.test.ts' },
  { section: '14', row: 'POST /metrics/v2', test: 'server/jolokia.e2e.test.ts' },
  { section: '16.1', row: 'gzip', test: 'server/pdb.oracle.test.ts' },
]
