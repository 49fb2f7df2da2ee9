import type { Terminus } from '../../model/indirector/terminus.ts'

/**
 * Terminus for models that moved: `find` also looks at the old place, and `save` writes the new
 * one. A crash leaves at least one copy: `save` deletes the old file after the new one exists, and
 * `destroy` deletes the old file first.
 */
export function movedFrom<Model extends { readonly name: string }>(
  place: Required<Terminus<Model>>,
  old: Required<Terminus<Model>>,
): Required<Terminus<Model>> {
  return {
    // Looks at the new place again, in case of a save between the first two lookups.
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
