// The same cases on PostgreSQL: databases.ts.
import './as-of.test.ts'
