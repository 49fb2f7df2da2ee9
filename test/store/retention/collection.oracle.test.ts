// The same cases on PostgreSQL: databases.ts.
import './collection.test.ts'
