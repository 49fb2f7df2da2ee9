import { LRUCache } from 'lru-cache'
import type { Request } from '../../model/indirector/request.ts'
import type { Terminus } from '../../model/indirector/terminus.ts'

/** Bounds on memory: the number of models, and the bytes of all models. */
export interface MemoryBounds<Model> {
  readonly most?: number
  readonly bytes?: number
  sizeOf?(model: Model): number
}

/** A terminus that keeps the models that were last used, and forgets them all when the process ends. */
export function inMemory<Model extends object>(bounds: MemoryBounds<Model> = {}): Required<Terminus<Model>> {
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
