/** Files that were chosen or dropped; those of a folder make one package and keep their paths below it. */

export interface Chosen {
  readonly file: File;
  readonly name: string;
  readonly place: { readonly projectId: string; readonly logicalPath: string } | null;
}

/** Files of a field: of one for folders they have their paths, which begin with the folder. */
export function chosenOf(files: Iterable<File>): readonly Chosen[] {
  const projects = new Map<string, string>();
  return [...files].map((file) => placed(file, file.webkitRelativePath, projects));
}

/** Files and folders that were dropped; folders are read to the bottom. */
export async function droppedOf(items: Iterable<DataTransferItem>): Promise<readonly Chosen[]> {
  const projects = new Map<string, string>();
  // Entries are gone once the event has been handled, so all are taken before the first is read.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const found = await Promise.all(entries.map(filesBelow));
  return found.flat().map(([file, path]) => placed(file, path.includes('/') ? path : '', projects));
}

function placed(file: File, path: string, projects: Map<string, string>): Chosen {
  const [folder = '', ...below] = path.split('/');
  if (below.length === 0) return { file, name: file.name, place: null };
  const projectId = projects.get(folder) ?? crypto.randomUUID();
  projects.set(folder, projectId);
  return { file, name: file.name, place: { projectId, logicalPath: below.join('/') } };
}

async function filesBelow(entry: FileSystemEntry): Promise<readonly (readonly [File, string])[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [[file, entry.fullPath.replace(/^\//, '')]];
  }
  if (!isFolder(entry)) return [];
  const reader = entry.createReader();
  const found: (readonly [File, string])[] = [];
  // A reader gives at most a hundred at a time, and none at the end.
  for (;;) {
    const some = await new Promise<readonly FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return found;
    for (const each of some) found.push(...(await filesBelow(each)));
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
