// Starts `plumb language-server` and connects it to Visual Studio Code.
import { workspace } from 'vscode'
import { LanguageClient, TransportKind } from 'vscode-languageclient/node'

let client

/** Starts the server when a file or folder of Puppet code is opened. */
export function activate() {
  const settings = workspace.getConfiguration('plumb')
  const choice = Object.fromEntries(
    ['node', 'facts', 'semanticChecks'].map((name) => [name, settings.get(name)]).filter(([, value]) => value),
  )
  client = new LanguageClient(
    'plumb',
    'Plumbline',
    { command: settings.get('path') || 'plumb', args: ['language-server'], transport: TransportKind.stdio },
    {
      documentSelector: ['puppet', 'epuppet', 'yaml', 'json', 'ruby', 'erb']
        .map((language) => ({ scheme: 'file', language }))
        .concat({ scheme: 'file', pattern: '**/Puppetfile' }),
      initializationOptions: choice,
      synchronize: { configurationSection: 'plumb' },
    },
  )
  return client.start()
}

/** Ends the server. */
export function deactivate() {
  return client?.stop()
}
