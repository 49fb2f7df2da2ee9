import { defineProvider } from '../../provider.ts'
import { belongsToFile, type ConcatFile, concatFragment } from '../../types/concat.ts'

/**
 * The provider of `concat_fragment`, which only warns if no file in the catalog includes the
 * fragment.
 */
export const fragment = defineProvider(concatFragment, 'fragment', {
  doc: 'Does nothing; the concat_file assembles the fragment.',
  read: async () => ({}),
  async generate({ resource, catalog, log }) {
    if (catalog.ofType('concat_file').some((file) => belongsToFile(resource, file as ConcatFile))) return []
    const [target, tag] = [resource.get('target') ?? '', resource.get('tag')]
    // The closing quote is missing, as in the message of the module concat.
    const or = tag === undefined ? '' : `or tag '${tag} `
    log('warning', `Target Concat_file with path or title '${target}' ${or}not found in the catalog`)
    return []
  },
})
