import { addPluginRoutes } from '../../plumb-v1/plugins.ts'
import { addPuppetV3Routes as addPuppetV3 } from '../../puppet-v3/index.ts'
import { addRequestedCatalogRoutes } from '../../puppet-v4/catalog.ts'
import { definePart } from '../part.ts'
import { servicesPart } from '../services.ts'

/** Routes of `/puppet/v3`. */
export const puppetV3Part = definePart('puppetV3', [servicesPart], ({ settings, services }) => ({
  routes: (http) => addPuppetV3(http, services, settings),
}))

/** Routes of `/puppet/v4`. */
export const puppetV4Part = definePart('puppetV4', [servicesPart], ({ settings, services }) => ({
  routes: (http) => addRequestedCatalogRoutes(http, services, settings),
}))

/** Routes of `/plumb/v1`. */
export const plumbV1Part = definePart('plumbV1', [servicesPart], ({ services }) => ({
  routes: (http) => addPluginRoutes(http, services),
}))
