import { createGate } from '../../gate/server-gate.ts'
import { codePart } from '../code.ts'
import { compileAheadPart } from '../compile-ahead.ts'
import { definePart } from '../part.ts'
import { servicesPart } from '../services.ts'
import { storePart } from '../store.ts'
import { approvalsPart } from './approvals.ts'

/** The gate, which compiles the affected nodes for each push. */
export const gatePart = definePart(
  'gate',
  [codePart, approvalsPart, servicesPart, storePart, compileAheadPart],
  ({ settings, code, approvals, services, store, compiling }) => ({
    value: createGate({
      settings,
      services,
      store: store?.store,
      repository: code.source?.path,
      ready: compiling.requestsRead,
      approvals: approvals?.gate,
    }),
  }),
)
