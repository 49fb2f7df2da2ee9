import { defineProvider } from '../../provider.ts'
import { belongsToFile, type ConcatFile, concatFragment } from '../../types/concat.ts'

/** Changes nothing; warns if no file in the catalog includes the fragment. */
export const fragment = defineProvider(concatFragment, 'fragment', {
  doc: 'Does nothing; the concat_file assembles the fragment.',
  read: async () => ({}),
  async generate({ resource, catalog, log }) {
    if (catalog.ofType('concat_file').some((file) => belongsToFile(resource, file as ConcatFile))) return []
    const [target, tag] = [resource.get('target') ?? '', resource.get('tag')]
    // The module's message lacks the closing quote, too.
    const or = tag === undefined ? '' : `or tag '${tag} `
    log('warning', `Target Concat_file with path or title '${target}' ${or}not found in the catalog`)
    return []
  },
})
