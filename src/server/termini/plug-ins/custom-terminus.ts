import type { Request } from '../../../model/indirector/request.ts'
import type { Terminus, TerminusOperation } from '../../../model/indirector/terminus.ts'
import { callPlugIn } from './plug-in-call.ts'
import { getExport, type PlugIn } from './plug-in-files.ts'

/** Conversion between internal models and plug-in values. */
export interface ModelForm<Model, Query extends Request> {
  /** Converts a plug-in's value to a model. Throws if the value is not a valid model. */
  read(given: unknown, request: Query): Model | Promise<Model>
  show(model: Model): unknown | Promise<unknown>
  /** Additional properties of a request for a plug-in, besides key, node and environment. */
  more?(request: Query): object
}

type Methods = Readonly<Record<TerminusOperation, ((...given: readonly unknown[]) => unknown) | undefined>>

/**
 * Creates a terminus with the plug-in's function `create`. The terminus has the operations that the plug-in
 * implements. Throws PLUG_IN_LACKS.
 */
export function createCustomTerminus<Model, Query extends Request>(
  plugIn: PlugIn,
  surroundings: object,
  form: ModelForm<Model, Query>,
): Terminus<Model, Query> {
  const made = getExport(plugIn, 'create')(surroundings) as Methods
  const hasOperation = (operation: TerminusOperation) => typeof made?.[operation] === 'function'
  const callOperation = (operation: TerminusOperation, ...given: readonly unknown[]) =>
    callPlugIn(plugIn.path, operation, () => made[operation]?.(...given))
  const toPlugInRequest = (request: Query) => {
    const { key, node, environment } = request
    return { key, node, environment, ...form.more?.(request) }
  }
  return {
    ...(hasOperation('find') && {
      async find(request) {
        const found = await callOperation('find', toPlugInRequest(request))
        return found === undefined || found === null ? undefined : form.read(found, request)
      },
    }),
    ...(hasOperation('search') && {
      async search(request) {
        const found = await callOperation('search', toPlugInRequest(request))
        return Array.isArray(found) ? Promise.all(found.map((each) => form.read(each, request))) : undefined
      },
    }),
    ...(hasOperation('save') && {
      save: async (model, request) =>
        void (await callOperation('save', await form.show(model), toPlugInRequest(request))),
    }),
    ...(hasOperation('destroy') && {
      destroy: async (request) => void (await callOperation('destroy', toPlugInRequest(request))),
    }),
  }
}
