import { createConnection as connectSocket } from 'node:net'
import {
  createConnection,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { loadSettings } from '../../machine/settings/settings.ts'
import { serveLanguage } from '../../workbench/language-server/language-server.ts'
import { defineCommand } from '../command/command.ts'
import { version } from '../command/version.ts'

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
  plumb language-server --socket 9257`,
  options: [
    { flags: '--stdio', doc: 'Use standard input and output; the default.' },
    { flags: '--socket <port>', doc: 'Connect to this port of the local machine, on which the editor listens.' },
  ],
  async run({ options, settings: given, io }) {
    const { modulepath } = loadSettings({ given, runMode: 'user' })
    const [input, output, closed] = openStreams(options.socket, io.stdin)
    const connection = createConnection(
      ProposedFeatures.all,
      new StreamMessageReader(input),
      new StreamMessageWriter(output),
    )
    serveLanguage(connection, { version, root: process.cwd(), modulepath })
    connection.onExit(() => void input.removeAllListeners())
    await closed
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
