// Sends the dataset to a server of PuppetDB's HTTP, ours or a real one.
import { datasetCommands } from './commands.js'

/** The JSON of a payload; a string `<json 1.0>` in it stands for a number that JavaScript has no way to write. */
export function payloadText(payload) {
  return JSON.stringify(payload).replace(/"<json ([-+.\deE]+)>"/g, '$1')
}

/** What a PuppetDB needs in its settings, so that only what is as old as the century expires, and nothing vanishes. */
export const datasetConfig = `[database]
node-ttl = 7300d
node-purge-ttl = 18000d
report-ttl = 18000d
gc-interval = 0
`

/** Sends a command and waits until it is stored. Throws what the server says of a command that it does not take. */
export async function submit(url, { command, version, payload }) {
  const query = new URLSearchParams({
    command: command.replaceAll(' ', '_'),
    version: String(version),
    certname: payload.certname,
    'producer-timestamp': payload.producer_timestamp,
    secondsToWaitForCompletion: '60',
  })
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const answer = await fetch(`${url}/pdb/cmd/v1?${query}`, { method: 'POST', headers, body: payloadText(payload) })
  const text = await answer.text()
  const { processed, error } = answer.ok ? JSON.parse(text) : {}
  if (!processed || error)
    throw new Error(`${command} ${version} of ${payload.certname}: ${answer.status} ${text.slice(0, 600)}`)
}

/** Sends all commands, one after another, and lets the nodes expire that are as old as the century. */
export async function loadDataset(url) {
  for (const command of datasetCommands()) await submit(url, command)
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const body = JSON.stringify({ command: 'clean', version: 1, payload: ['expire_nodes'] })
  const answer = await fetch(`${url}/pdb/admin/v1/cmd`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`clean: ${answer.status} ${await answer.text()}`)
}
