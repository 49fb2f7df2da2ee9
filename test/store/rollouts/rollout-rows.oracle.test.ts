// The same cases on PostgreSQL: databases.ts.
import './rollout-rows.test.ts'
