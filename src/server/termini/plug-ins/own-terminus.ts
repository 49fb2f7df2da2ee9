import type { Request } from '../../../model/indirector/request.ts'
import type { Operation, Terminus } from '../../../model/indirector/terminus.ts'
import { askPlugIn } from './ask-plug-in.ts'
import { exportOf, type PlugIn } from './plug-in-files.ts'

/** Conversion between internal models and plug-in values. */
export interface ModelForm<Model, Query extends Request> {
  /** Converts a plug-in's value to a model. Throws if the value is not a valid model. */
  read(given: unknown, request: Query): Model | Promise<Model>
  show(model: Model): unknown | Promise<unknown>
  /** Additional properties of a request for a plug-in, besides key, node and environment. */
  more?(request: Query): object
}

type Methods = Readonly<Record<Operation, ((...given: readonly unknown[]) => unknown) | undefined>>

/**
 * Creates a terminus with the plug-in's function `create`. The terminus has the operations that the plug-in
 * implements. Throws PLUG_IN_LACKS.
 */
export function ownTerminus<Model, Query extends Request>(
  plugIn: PlugIn,
  surroundings: object,
  form: ModelForm<Model, Query>,
): Terminus<Model, Query> {
  const made = exportOf(plugIn, 'create')(surroundings) as Methods
  const has = (operation: Operation) => typeof made?.[operation] === 'function'
  const ask = (operation: Operation, ...given: readonly unknown[]) =>
    askPlugIn(plugIn.path, operation, () => made[operation]?.(...given))
  const shown = (request: Query) => {
    const { key, node, environment } = request
    return { key, node, environment, ...form.more?.(request) }
  }
  return {
    ...(has('find') && {
      async find(request) {
        const found = await ask('find', shown(request))
        return found === undefined || found === null ? undefined : form.read(found, request)
      },
    }),
    ...(has('search') && {
      async search(request) {
        const found = await ask('search', shown(request))
        return Array.isArray(found) ? Promise.all(found.map((each) => form.read(each, request))) : undefined
      },
    }),
    ...(has('save') && {
      save: async (model, request) => void (await ask('save', await form.show(model), shown(request))),
    }),
    ...(has('destroy') && { destroy: async (request) => void (await ask('destroy', shown(request))) }),
  }
}
