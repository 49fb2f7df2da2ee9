import { adminV1 as addAdminV1 } from '../../admin-v1/index.ts'
import { environments } from '../environments.ts'
import { part } from '../part.ts'
import { pool } from '../pool.ts'

/** Routes of `/puppet-admin-api/v1`. */
export const adminV1 = part('adminV1', [environments, pool], ({ environments: { environments }, pool }) => ({
  routes: (http) => addAdminV1(http, { environments, pool }),
}))
