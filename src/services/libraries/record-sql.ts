/**
 * The record of a ligand in a library, as a table of one row or none. Both arguments are SQL. It is the last record up to its place in the
 * index of ids: asked for by its library and its id, a planner that knows nothing yet of a new library takes the library for
 * a single record, and reads it as a whole for each ligand.
 */
export function recordOf(libraryId: string, ligandId: string): string {
  return `
  (select * from (
    select * from ligand_library_records where (library_id, ligand_id) <= (${libraryId}::uuid, ${ligandId} collate "C")
    order by library_id desc, ligand_id desc limit 1) found
  where found.library_id = ${libraryId}::uuid and found.ligand_id = ${ligandId})`;
}
