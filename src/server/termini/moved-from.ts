import type { Terminus } from '../../model/indirector/terminus.ts'

/**
 * Models at their place, which are found at an old one until they are saved anew. A crash at any moment leaves one of the two:
 * the old one goes after the new one is there, and first where both are to go.
 */
export function movedFrom<Model extends { readonly name: string }>(
  place: Required<Terminus<Model>>,
  old: Required<Terminus<Model>>,
): Required<Terminus<Model>> {
  return {
    // Between two looks it may have been saved anew: then it is at its place by now.
    find: async (request) => (await place.find(request)) ?? (await old.find(request)) ?? (await place.find(request)),
    async search(request) {
      const found = [...((await old.search(request)) ?? []), ...((await place.search(request)) ?? [])]
      return [...new Map(found.map((model) => [model.name, model])).values()]
    },
    async save(model, request) {
      await place.save(model, request)
      await old.destroy(request)
    },
    async destroy(request) {
      await old.destroy(request)
      await place.destroy(request)
    },
  }
}
