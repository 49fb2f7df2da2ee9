import { createConnection as connectSocket } from 'node:net'
import { resolve } from 'node:path'
import {
  createConnection,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { serveLanguage } from '../../workbench/language-server/language-server.ts'
import { openTestCode } from '../../workbench/manifest-tests/test-code.ts'
import { defineCommand } from '../command/command.ts'
import { version } from '../command/version.ts'
import { listGemFolders } from '../test/manifest-tests.ts'
import { createTestRequest } from '../test/test-request.ts'
import { openPuppetfileCheck } from './puppetfile-check.ts'

const issues = defineIssues({
  LANGUAGE_SERVER_PORT: {
    text: (a: { given: string }) => `--socket requires a port number, not '${a.given}'`,
    hint: () => 'The editor listens on this port; without --socket, the server uses standard input and output.',
  },
})

/** The command `plumb language-server`. */
export const languageServerCommand = defineCommand({
  name: 'language-server',
  summary: 'Serve editors by the Language Server Protocol.',
  description: `Provides diagnostics, completion, documentation, definitions, references, renaming, outlines and symbols of Puppet code
to an editor. The code is the module or control repository that the editor opens, with the modules of its modulepath, of
spec/fixtures/modules and of --modulepath. Runs until the editor closes the connection; docs/language-server.md describes
the configuration of editors.

  plumb language-server
  plumb language-server --socket 9257

With --facts, completion, documentation and hints contain the facts and the Hiera data of a node. --facts names a file of
facts, or a folder with a file for each node, from which --node or the editor chooses. Without --facts, --node names a
file of facts, or a system of FacterDB such as debian-12-x86_64.

  plumb language-server --facts spec/facts --node web1.example.com
  plumb language-server --node debian-12-x86_64`,
  options: [
    { flags: '--stdio', doc: 'Use standard input and output; the default.' },
    { flags: '--socket <port>', doc: 'Connect to this port of the local machine, on which the editor listens.' },
    { flags: '--node <name>', doc: 'Node whose facts and data the editor shows.' },
    { flags: '--facts <path>', doc: 'JSON or YAML file of facts, or a folder with such a file for each node.' },
    { flags: '--gem-path <path>', doc: 'Folder of gems with FacterDB. May be given several times.', repeated: true },
  ],
  async run({ options, settings: given, io }) {
    const settings = loadSettings({ given, runMode: 'user' })
    const { modulepath } = settings
    const createRequest = createTestRequest(settings)
    const [input, output, closed] = openStreams(options.socket, io.stdin)
    const connection = createConnection(
      ProposedFeatures.all,
      new StreamMessageReader(input),
      new StreamMessageWriter(output),
    )
    const puppetfiles = openPuppetfileCheck()
    const server = serveLanguage(connection, {
      ...{ version, root: process.cwd(), modulepath },
      nodes: {
        choice: { node: options.node, facts: options.facts && resolve(options.facts) },
        gemFolders: listGemFolders(settings, options.gemPath),
        createRequest: (node, environment) => createRequest({ ...node, certname: node.name }, environment),
        openCode: (root) => openTestCode(root, modulepath, settings),
      },
      checkPuppetfile: puppetfiles.check,
    })
    connection.onExit(() => void input.removeAllListeners())
    await closed.finally(() => Promise.all([server.close(), puppetfiles.close()]))
    return 0
  },
})

/** The streams to the editor, and a promise that resolves when the connection ends. */
function openStreams(
  socket: string | undefined,
  stdin: NodeJS.ReadableStream,
): readonly [NodeJS.ReadableStream, NodeJS.WritableStream, Promise<unknown>] {
  if (socket === undefined)
    return [stdin, process.stdout, new Promise((done) => stdin.once('close', done).once('end', done))]
  const port = Number(socket)
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    return throwIssue(issues.LANGUAGE_SERVER_PORT, { given: socket })
  const connection = connectSocket({ host: '127.0.0.1', port })
  return [connection, connection, new Promise((done, failed) => connection.once('close', done).once('error', failed))]
}
