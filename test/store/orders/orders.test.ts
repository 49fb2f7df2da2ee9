import { openMemoryOrders } from '../../../src/store/orders/stored-orders.ts'
import { keepsOrders } from './orders-contract.ts'

keepsOrders('memory', openMemoryOrders)
