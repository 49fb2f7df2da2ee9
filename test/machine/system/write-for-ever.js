// Writes what it is told to, A and B in turn, until it is killed: crash.e2e.test.ts.
import { Readable } from 'node:stream'

const [root, folder, writer] = process.argv.slice(2)
const load = (path) => import(`${root}/dist/${path}.js`)
const { localFiles: files } = await load('machine/system/files')
const { localCommands: commands } = await load('machine/system/commands')
const { createIndirection } = await load('model/indirector/indirection')

const filler = Array.from({ length: 4000 }, (_, index) => [`key_${index}`, 'x'.repeat(60)])
const large = (word) => Object.fromEntries([['word', word], ...filler])

const writers = {
  async facts() {
    const { facts } = await load('server/termini/facts/index')
    const store = createIndirection(facts, { files, settings: { server_datadir: folder } }, { terminus: 'json' })
    return (word) => store.save({ name: 'a.test', values: Buffer.from(JSON.stringify(large(word))) }, { key: 'a.test' })
  },
  async report() {
    const { report } = await load('server/termini/report/index')
    const settings = { reports: ['store'], reportdir: folder, report_min_free_space: 0 }
    const store = createIndirection(report, { files, settings, log() {} }, { terminus: 'processor' })
    const sent = { host: 'a.test', time: '2026-01-01T00:00:00Z', logs: [] }
    return (word) => store.save({ ...sent, text: Buffer.from(JSON.stringify(large(word))) }, { key: 'a.test' })
  },
  async bucket() {
    const { fileBucketFile } = await load('server/termini/file-bucket-file/index')
    const { createHash } = await import('node:crypto')
    const bounds = { bucket_max_file_size: 2 ** 30, bucket_min_free_space: 0 }
    const settings = { bucketdir: folder, digest_algorithm: 'sha256', ...bounds }
    const store = createIndirection(fileBucketFile, { files, commands, settings }, { terminus: 'file' })
    let count = 0
    return (word) => {
      const content = Buffer.from(JSON.stringify({ ...large(word), count: count++ }))
      const key = `sha256/${createHash('sha256').update(content).digest('hex')}/etc/motd`
      return store.save({ size: content.length, content: Readable.from([content]) }, { key })
    }
  },
  async catalog() {
    const { createCatalogFiles, jsonCatalogFormat } = await load('node/agent/catalog/catalog-files')
    const cache = createCatalogFiles(files, folder, jsonCatalogFormat)
    return (word) => {
      const wire = large(word)
      return cache.save({ wire, text: JSON.stringify(wire) }, { key: 'a.test' })
    }
  },
  async exports() {
    const { JsonExports } = await load('store/exports/json-exports')
    const store = new JsonExports({ directory: folder, files })
    return (word) => {
      const resource = { type: 'Notify', title: word, tags: [], parameters: large(word) }
      return store.replace('a.test', [resource, { ...resource, type: 'File' }])
    }
  },
  async state() {
    const { openRunState } = await load('node/agent/state-files')
    const places = { statefile: `${folder}/state.yaml`, transactionstorefile: `${folder}/transactionstore.yaml` }
    return async (word) => {
      const state = await openRunState(files, places, () => {})
      for (const [name] of filler) state.setSystemValue(`File[/${name}]`, 'ensure', [word])
      for (const [name] of filler) state.setChecked(`File[/${name}]`, 0)
      await state.save()
    }
  },
}

const write = await writers[writer]()
for (let count = 0; ; count++) {
  await write(count % 2 === 0 ? 'A' : 'B')
  if (count === 0) process.send('begun')
}
