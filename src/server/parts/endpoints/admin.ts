import { addAdminV1Routes as addAdminV1 } from '../../admin-v1/index.ts'
import { environmentsPart } from '../environments.ts'
import { definePart } from '../part.ts'
import { poolPart } from '../pool.ts'

/** Routes of `/puppet-admin-api/v1`. */
export const adminV1Part = definePart(
  'adminV1',
  [environmentsPart, poolPart],
  ({ environments: { environments }, pool }) => ({
    routes: (http) => addAdminV1(http, { environments, pool }),
  }),
)
