// Commands to a server with the command API of PuppetDB.

/** Submits a command, and returns when it is stored, not when it is queued. */
export async function submit({ call, name }, { command, version, certname, payload }) {
  const query = new URLSearchParams({
    ...{ command: command.replaceAll(' ', '_'), version: String(version), certname },
    ...{ 'producer-timestamp': new Date().toISOString(), secondsToWaitForCompletion: '600' },
  })
  const { status, body } = await call('POST', `/pdb/cmd/v1?${query}`, payload)
  const { processed, error } = status === 200 ? JSON.parse(body.toString()) : {}
  if (!processed || error) throw new Error(`${name}: ${command} of ${certname}: ${status} ${body}`)
}

/** Works on all items, `atOnce` of them at a time. */
export async function inParallel(items, atOnce, work) {
  const waiting = items[Symbol.iterator]()
  const one = async () => {
    for (const item of waiting) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}
