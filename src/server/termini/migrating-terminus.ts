import type { Terminus } from '../../model/indirector/terminus.ts'

/**
 * Terminus for models that moved to a new location: `find` reads from both locations, and `save` writes to the new
 * one. A crash leaves at least one copy: `save` deletes the old file after the new file exists, and `destroy` deletes
 * the old file first.
 */
export function createMigratingTerminus<Model extends { readonly name: string }>(
  place: Required<Terminus<Model>>,
  old: Required<Terminus<Model>>,
): Required<Terminus<Model>> {
  return {
    // Reads the new location again, because a save may have happened between the first two reads.
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
