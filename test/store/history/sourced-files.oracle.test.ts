// The same cases on PostgreSQL: databases.ts.
import './sourced-files.test.ts'
