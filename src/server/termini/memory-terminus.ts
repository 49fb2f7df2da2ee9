import { LRUCache } from 'lru-cache'
import type { Request } from '../../model/indirector/request.ts'
import type { Terminus } from '../../model/indirector/terminus.ts'

/** Limits on the number of models and on their total size in bytes. */
export interface MemoryBounds<Model> {
  readonly most?: number
  readonly bytes?: number
  sizeOf?(model: Model): number
}

/** Terminus that keeps recently used models in memory until the process ends. */
export function createMemoryTerminus<Model extends object>(
  bounds: MemoryBounds<Model> = {},
): Required<Terminus<Model>> {
  const { bytes = 0, most = bytes > 0 ? 100_000 : 1000, sizeOf = () => 1 } = bounds
  const models = new LRUCache<string, Model>({
    max: most,
    ...(bytes > 0 ? { maxSize: bytes, sizeCalculation: sizeOf } : {}),
  })
  return {
    find: async ({ key }: Request) => models.get(key),
    search: async () => [...models.values()],
    save: async (model, { key }) => void models.set(key, model),
    destroy: async ({ key }) => void models.delete(key),
  }
}
