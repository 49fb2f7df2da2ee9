import { gateFrom } from '../gate/open-gate.ts'
import { code } from './code.ts'
import { compiling } from './compiling.ts'
import { part } from './part.ts'
import { services } from './services.ts'
import { store } from './store.ts'

/** The gate, which compiles the affected nodes for each push. */
export const gate = part(
  'gate',
  [code, services, store, compiling],
  ({ settings, code, services, store, compiling }) => ({
    value: gateFrom({
      settings,
      services,
      store: store?.store,
      repository: code.source?.path,
      ready: compiling.requestsRead,
    }),
  }),
)
