import { pluginRoutes } from '../../plumb-v1/plugins.ts'
import { puppetV3 as addPuppetV3 } from '../../puppet-v3/index.ts'
import { requestedCatalogRoutes } from '../../puppet-v4/catalog.ts'
import { part } from '../part.ts'
import { services } from '../services.ts'

/** Routes of `/puppet/v3`. */
export const puppetV3 = part('puppetV3', [services], ({ settings, services }) => ({
  routes: (http) => addPuppetV3(http, services, settings),
}))

/** Routes of `/puppet/v4`. */
export const puppetV4 = part('puppetV4', [services], ({ settings, services }) => ({
  routes: (http) => requestedCatalogRoutes(http, services, settings),
}))

/** Routes of `/plumb/v1`. */
export const plumbV1 = part('plumbV1', [services], ({ services }) => ({
  routes: (http) => pluginRoutes(http, services),
}))
