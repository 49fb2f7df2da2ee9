import { join } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { openStoredAuthority } from '../../ca/authority-settings.ts'
import { getControlPath, sendControlRequest } from '../../deploy/control/control-socket.ts'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { checkFileName } from '../../model/indirector/file-name.ts'
import { openConfiguredStorage } from '../../store/authority/configured-authority.ts'
import { withDirectStore } from '../../store/direct-store.ts'
import { getExportsDirectory } from '../../store/exports/export-settings.ts'
import { JsonExports } from '../../store/exports/json-exports.ts'
import { type CliCommand, type CommandInvocation, defineCommand } from '../command/command.ts'
import { classifyNode } from '../input/node-classification.ts'
import { nodeHistoryCommand } from './history.ts'
import { nodeList } from './list.ts'
import { nodeShow } from './show.ts'
import { nodeStatus } from './status.ts'

const issues = defineIssues({
  NO_NODES: { text: (a: { action: string }) => `Please provide at least one node to ${a.action}` },
  EXPORTS_IN_MEMORY: {
    text: () => 'The server keeps exported resources in memory (storeconfigs_backend = memory)',
    hint: () => 'Restart the server to remove them.',
  },
})

/** The command `plumb node`. */
export const nodeCommand: CliCommand = {
  name: 'node',
  summary: 'Print, deactivate and clean up the nodes of the server.',
  description:
    'Prints and changes the data of nodes that the server on this machine stores. The server may be running or stopped. With\n--server NAME, the actions list, show, status and history query another server.',
  commands: [
    nodeList,
    nodeShow,
    nodeStatus,
    nodeHistoryCommand,
    defineCommand({
      name: 'find',
      summary: 'Print the classes and parameters that the node_terminus returns for a node, as JSON.',
      usage: '<node>',
      async run({ args: [name = ''], settings: given, io }) {
        const settings = loadSettings({ given, runMode: 'server' })
        const { environment } = settings
        io.out(`${JSON.stringify({ name, environment, ...(await classifyNode(name, [], settings)) }, undefined, 2)}\n`)
        return 0
      },
    }),
    {
      name: 'deactivate',
      summary: 'Deactivate nodes in the store and remove their exported resources.',
      description: `Use this command for nodes that no longer exist. A node becomes active again when it requests a catalog or sends facts
or a report.

  plumb node deactivate web1.example.com web2.example.com`,
      usage: '<node...>',
      run: deactivateNodes,
    },
    {
      name: 'clean',
      summary: 'Remove the certificate, facts, classification, last catalog and reports of nodes.',
      description: `Also deactivates the nodes in the store, which removes their data later (node_purge_ttl). Exported resources in files
are kept; 'plumb node deactivate' removes them.

  plumb node clean web1.example.com`,
      usage: '<node...>',
      run: cleanNodes,
    },
  ],
}

async function deactivateNodes(invocation: CommandInvocation): Promise<number> {
  const { io } = invocation
  const settings = loadNodeSettings(invocation)
  const names = parseNodeNames(invocation, 'deactivate')
  if (settings.storeconfigs_backend === 'memory') throwIssue(issues.EXPORTS_IN_MEMORY, {})
  const exports = new JsonExports({ directory: getExportsDirectory(settings), files: localSystem.files })
  const inStore = await withDirectStore(settings, 'tell', async (store) => {
    for (const name of names) await store.deactivate(name)
    return true
  })
  for (const name of names) {
    const removed = await exports.remove(name)
    io.out(`${name}: ${inStore ? 'deactivated' : removed ? 'exported resources removed' : 'no exported resources'}\n`)
  }
  await sendControlRequest(getControlPath(settings), 'reload')
  return 0
}

async function cleanNodes(invocation: CommandInvocation): Promise<number> {
  const { io } = invocation
  const settings = loadNodeSettings(invocation)
  const names = parseNodeNames(invocation, 'clean')
  const inStore = await withDirectStore(settings, 'tell', async (store) => {
    for (const name of names) await store.deactivate(name)
    return true
  })
  for (const name of names) {
    const removed = [
      ...((await cleanCertificate(name, settings)) ? ['certificate'] : []),
      ...(await removeNodeFiles(name, settings)),
    ]
    const said = [...(removed.length > 0 ? [`${removed.join(', ')} removed`] : []), ...(inStore ? ['deactivated'] : [])]
    io.out(`${name}: ${said.length > 0 ? said.join('; ') : 'nothing to remove'}\n`)
  }
  return 0
}

/** Revokes and removes the certificate of a node if this server is the CA. Returns false if there is no certificate. */
async function cleanCertificate(name: string, settings: Settings): Promise<boolean> {
  const storage = await openConfiguredStorage(settings, localSystem)
  if (!(await storage.exists())) return false
  const authority = await openStoredAuthority(settings, storage, localSystem)
  if ((await authority.status(name)) === undefined) return false
  await authority.clean([name])
  return true
}

async function removeNodeFiles(name: string, settings: Settings): Promise<string[]> {
  const { files } = localSystem
  const { server_datadir: data, yamldir: yaml, reportdir } = settings
  const places: readonly (readonly [what: string, path: string])[] = [
    ['facts', join(data, 'facts', `${name}.json`)],
    ['facts', join(yaml, 'facts', `${name}.yaml`)],
    // Paths that earlier versions of this program used.
    ['classification', join(data, 'nodes', `${name}.json`)],
    ['classification', join(data, 'node', `${name}.json`)],
    ['classification', join(data, 'node', `${name}.msgpack`)],
    ['classification', join(yaml, 'node', `${name}.yaml`)],
    ['catalog', join(data, 'catalog', `${name}.json`)],
    ['catalog', join(data, 'catalog', `${name}.msgpack`)],
    ['catalog', join(yaml, 'catalog', `${name}.yaml`)],
    ['reports', join(reportdir, name)],
  ]
  const removed = new Set<string>()
  for (const [what, path] of places) {
    if ((await files.stat(path)) === undefined) continue
    await files.remove(path)
    removed.add(what)
  }
  return [...removed]
}

function loadNodeSettings({ settings: given }: CommandInvocation): Settings {
  return loadSettings({ given, runMode: 'server' })
}

/**
 * Returns the node names from the arguments. Throws NO_NODES, and an error for a name that is not a
 * valid file name.
 */
function parseNodeNames({ args }: CommandInvocation, action: string): readonly string[] {
  if (args.length === 0) throwIssue(issues.NO_NODES, { action })
  return args.map((name) => checkFileName('node', name.toLowerCase()))
}
