"""A sitting: the open table, its policy, and the runs that were made of them since Studio was started.

It is changed by the event loop alone, so it needs no locks; whatever it holds is a frozen value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from shutil import rmtree
from typing import Any

from shoal.assessment.comparison import ComparedPolicy, Comparison
from shoal.errors import PolicyError, ShoalError, StudioError
from shoal.policy.change.policy_edit import PolicyEdit
from shoal.policy.policy import Policy
from shoal.policy.setting_grid import combinations
from shoal.sources import check_writable
from shoal.sources.key_file import Key, key_path
from shoal.sources.private import create_private_folder
from shoal.studio.allowed_folders import AllowedFolders
from shoal.studio.answers import problem
from shoal.studio.event_stream import EventStream
from shoal.studio.job import Job, Status
from shoal.studio.job_process import JobStarter
from shoal.studio.job_queue import JobQueue, Order
from shoal.studio.messages import Measured, NotExternal, Profiled, Proposed, Released
from shoal.studio.opened_file import OpenedFile, is_writable
from shoal.studio.policy_document import PolicyDocument
from shoal.studio.run import Run, title_of
from shoal.studio.tasks import ForecastTask, GridTask, ProfileTask, ProposeTask, ProtectTask, Task, Variant

POLICY_NAME = "policy.toml"
NAMING_OPTIONS = {"format", "delimiter", "quote", "encoding", "header", "names", "sheet"}  # of reading
MOST_POLICIES = 100  # of a grid
Failure = Callable[[Status, tuple[str, ...]], None]
ABOUT_A_FILE = ("propose", "profile", "forecast")  # jobs that end with the file


@dataclass(frozen=True)
class Work:
    """The open table and everything that was found or decided about it."""

    file: OpenedFile
    secret: bytes
    document: PolicyDocument | None = None  # None: it is being proposed
    proposed: Proposed | None = None
    profiled: Profiled | None = None


class Sitting:
    def __init__(self, folders: AllowedFolders, private: Path, starter: JobStarter) -> None:
        """``private``: a folder that nobody else can read, and that is removed at the end."""
        self.folders, self.private = folders, private
        self.events = EventStream(self.state)
        self.queue = JobQueue(starter, self.events.changed)
        self.policy_revision = 0
        self.policy_error: ShoalError | None = None
        self._n_folders = self._n_runs = 0
        self._work: Work | None = None
        self._runs: dict[int, Run] = {}

    # The table.

    @property
    def work(self) -> Work:
        if self._work is None:
            raise StudioError.no_file()
        return self._work

    @property
    def is_open(self) -> bool:
        return self._work is not None

    def open(self, file: OpenedFile, text: str | None) -> None:
        """Begins with another table. ``text``: of the policy beside it, which is taken where it names the columns."""
        home = self._home(file) / POLICY_NAME
        self.folders.check_targets([key_path(home)])
        secret = _secret_beside(home)
        self.close()
        self._work = Work(file, secret, _document_beside(text, home, file))
        if self._work.document is None:
            self._order(ProposeTask(file.path, home), partial(self._proposed, file))
        self._policy_changed()
        self._look_if_possible()

    def _look_if_possible(self) -> None:
        """Orders the first profile as soon as there is a policy for it."""
        is_ordered = any(job.kind == "profile" and not job.is_over for job in self.queue.jobs)
        if self.work.document is not None and self.policy_error is None and not is_ordered:
            self.look()

    def _home(self, file: OpenedFile) -> Path:
        """The folder of the policy: that of the table, where it can be written."""
        return self.folders.roots[0] if file.is_upload or not is_writable(file.folder) else file.folder

    def close(self) -> None:
        for job in self.queue.jobs:
            if job.kind in ABOUT_A_FILE:
                self.queue.cancel(job.id)
        self._work = None
        self._policy_changed()

    def look(self) -> Job:
        """A profile of the table, with the roles of the policy."""
        self.checked_policy()
        return self._order(ProfileTask(self.work.file.path, self.document), partial(self._profiled, self.work.file))

    def _proposed(self, file: OpenedFile, found: Proposed) -> None:
        if self._work is None or self._work.file != file:
            return
        document = PolicyDocument(found.text, self._home(file) / POLICY_NAME)
        self._work = replace(self._work, document=self._work.document or document, proposed=found)
        self._policy_changed()
        self._look_if_possible()

    def _profiled(self, file: OpenedFile, found: Profiled) -> None:
        if self._work is not None and self._work.file == file:
            known = replace(file, n_records=found.n_records)
            self._work = replace(self._work, file=known, profiled=found)

    # The policy.

    @property
    def document(self) -> PolicyDocument:
        if self.work.document is None:
            raise StudioError.no_policy()
        return self.work.document

    def checked_policy(self, document: PolicyDocument | None = None) -> Policy:
        """The policy of the text. Raises an error where it is wrong, does not fit the table, or names files that are
        not in the folders."""
        found, file = (document or self.document).policy, self.work.file
        self.folders.check_named(found.files)
        if not file.is_upload:
            self.folders.check_targets([file.path])
        if file.names_in_doubt or found.source.model_fields_set & NAMING_OPTIONS:  # the job knows the names
            return found
        try:
            found.declared_schema.check_names(file.names)
        except PolicyError as error:
            raise error.in_file(found.file) from None
        return found

    def _found_error(self) -> ShoalError | None:
        if self._work is None or self._work.document is None:
            return None
        try:
            self.checked_policy()
        except ShoalError as error:
            return error
        return None

    def write_policy(self, document: PolicyDocument, revision: int) -> None:
        """Takes a changed policy, unless it was changed by somebody else since ``revision``."""
        self.check_revision(revision)
        self._work = replace(self.work, document=document)
        self._policy_changed()
        if self.work.profiled is None:
            self._look_if_possible()

    def check_revision(self, revision: int) -> None:
        if revision != self.policy_revision:
            raise StudioError.stale()

    def edit_policy(self, edits: Sequence[PolicyEdit], revision: int) -> None:
        self.check_revision(revision)
        self.write_policy(self.document.edited(edits), revision)

    def _policy_changed(self) -> None:
        self.policy_revision += 1
        self.policy_error = self._found_error()
        self.events.changed()

    def saved(self, document: PolicyDocument) -> None:
        """Takes note that this document is in its file."""
        if self.document == document:
            self._work = replace(self.work, document=replace(document, is_saved=True, was_read=True))
            self.events.changed()

    # Jobs and runs.

    def forecast(self) -> Job:
        self.checked_policy()
        orders: list[Job] = []

        def take(found: Any) -> None:
            self.queue.change(orders[0].id, result=_forecast(found))

        orders.append(self._order(ForecastTask(self.work.file.path, self.document), take))
        return orders[0]

    def protect(self) -> Job:
        run = self._new_run(self.document, title_of(self.checked_policy()))
        run = replace(run, release=self.new_folder("run") / f"release{_extension(run.data.path)}")
        self._runs[run.id] = run
        assert run.release is not None
        task = ProtectTask(run.data.path, run.document, run.secret, run.release, run.name)
        return self._order(task, partial(self._found, [run.id]), partial(self._failed, run.id), run.id)

    def compare(self, grid: Mapping[str, Sequence[Any]]) -> tuple[Job, list[ComparedPolicy]]:
        """The figures of the policy with every combination of settings, and the combinations that are left out because
        they are no policy. Raises the error of the first where all of them are."""
        asked = list(combinations(grid))
        if len(asked) > MOST_POLICIES:
            raise StudioError.malformed(f"{len(asked)} policies are more than {MOST_POLICIES}; choose fewer settings")
        documents: list[tuple[Mapping[str, Any], PolicyDocument]] = []
        errors: list[tuple[Mapping[str, Any], ShoalError]] = []
        for settings in asked:
            try:
                documents.append((settings, self._with_settings(settings)))
            except ShoalError as error:
                errors.append((settings, error))
        if not documents:
            raise errors[0][1]
        runs = [self._new_run(document, title_of(document.policy)) for _, document in documents]
        self._runs.update({run.id: run for run in runs})
        variants = [
            Variant(f"run {run.id}", settings, run.document) for run, (settings, _) in zip(runs, documents, strict=True)
        ]
        task = GridTask(self.work.file.path, tuple(variants), self.work.secret)
        job = self._order(task, partial(self._found, [run.id for run in runs]))
        return job, [ComparedPolicy("", settings, None, str(error)) for settings, error in errors]

    def _with_settings(self, settings: Mapping[str, Any]) -> PolicyDocument:
        changed = self.document.with_settings(settings)
        self.checked_policy(changed)
        return changed

    def _new_run(self, document: PolicyDocument, title: str) -> Run:
        self._n_runs += 1
        return Run(self._n_runs, self.work.file, document, title, self.work.secret)

    def run(self, number: int) -> Run:
        if number not in self._runs or not self._runs[number].is_shown:
            raise StudioError.no_run(number)
        return self._runs[number]

    @property
    def runs(self) -> list[Run]:
        """Those of the open table that have a result, the oldest first."""
        path = self._work.file.path if self._work else None
        return [run for run in self._runs.values() if run.is_shown and run.data.path == path]

    def take_over(self, number: int, revision: int) -> None:
        """The policy of a run becomes that of the sitting."""
        self.write_policy(self.document.with_text(self.run(number).document.text), revision)

    def comparison(self) -> tuple[Comparison, list[Run]] | None:
        """All runs that were measured, and which they are; with the limits of the policy where all have the same."""
        runs = [run for run in self.runs if run.compared is not None]
        if not runs:
            return None
        limits = [run.document.policy.limits.by_name for run in runs]
        are_common = all(each == limits[0] for each in limits)
        compared = tuple(run.compared for run in runs if run.compared is not None)
        return Comparison(compared, limits[0] if are_common else {}), runs

    def points(self) -> list[dict[str, Any]]:
        """The runs on the frontier of risk and loss, and those beside it."""
        found = self.comparison()
        if found is None:
            return []
        comparison, runs = found
        on_frontier = {point.index for point in comparison.frontier}
        return [
            {
                "run": runs[point.index].id,
                "number": point.index + 1,
                "loss": point.loss,
                "risk": point.risk,
                "on_frontier": point.index in on_frontier,
                "recommended": point.index == comparison.recommended,
                "settings": comparison.settings_of(point.index),
            }
            for point in comparison.points
        ]

    def export_folder(self, run: Run) -> Path:
        """The folder that is suggested: that of the policy, where its relative paths are right."""
        return run.document.file.parent

    def kept_folder(self, path: str) -> Path:
        """A folder that is still there after Studio has ended."""
        folder = self.folders.resolved(path)
        if folder.is_relative_to(self.private.resolve()):
            raise StudioError.removed_at_end(folder, self.folders.roots)
        return folder

    def new_folder(self, name: str) -> Path:
        """A new one in the private folder."""
        self._n_folders += 1
        return create_private_folder(self.private / f"{name}-{self._n_folders}")

    def _found(self, numbers: Sequence[int], found: Any) -> None:
        match found:
            case Released():
                self._change_run(numbers[0], released=found)
            case NotExternal(reason):
                self._change_run(numbers[0], no_external=reason)
            case Measured(at, compared):
                self._change_run(numbers[at], compared=compared, reason=compared.reason)

    def _change_run(self, number: int, **fields: Any) -> None:
        self._runs[number] = replace(self._runs[number], **fields)

    def _failed(self, number: int, status: Status, error: tuple[str, ...]) -> None:
        """Removes the files of a run that has no release. One that was stopped while it was measured keeps them."""
        run = self._runs[number]
        if run.release is None or run.released is not None:
            return
        rmtree(run.release.parent, ignore_errors=True)
        if status == "failed":
            reason = " ".join(error)
            self._change_run(number, reason=reason, compared=ComparedPolicy(run.name, {}, None, reason))

    def _order(
        self,
        task: Task,
        take: Callable[[Any], None],
        failed: Failure = lambda status, error: None,
        run: int | None = None,
    ) -> Job:
        return self.queue.add(Order(task, take, failed), run)

    # What the pages show.

    def state(self) -> dict[str, Any]:
        work = self._work
        return {
            "revision": self.events.revision,
            "roots": [str(root) for root in self.folders.roots],
            "file": work.file.to_dict() if work else None,
            "policy": self._policy_state() if work and work.document else None,
            "jobs": [job.to_dict() for job in self.queue.jobs],
            "runs": [run.to_dict() for run in self.runs],
        }

    def _policy_state(self) -> dict[str, Any]:
        error, document = self.policy_error, self.document
        return {
            "revision": self.policy_revision,
            "path": str(document.file),
            "saved": document.is_saved,
            "error": problem(error) if error else None,
        }


def _secret_beside(policy: Path) -> bytes:
    """The key beside the policy, as the shell would take it; else a new one, which is stored with the policy."""
    return Key.for_file(key_path(policy)).secret


def _document_beside(text: str | None, home: Path, file: OpenedFile) -> PolicyDocument | None:
    """The policy beside the table, whatever is wrong with it; None where it names no column of this one."""
    if text is None:
        return None
    document = PolicyDocument(text, home, is_saved=True, was_read=True)
    names = (document.content or {}).get("columns")
    is_of_another = isinstance(names, dict) and not set(names) & set(file.names)
    return None if is_of_another else document


def _extension(data: Path) -> str:
    """That of the table, where it can be written; else that of Parquet."""
    extension = "".join(data.suffixes[-2:]) if data.suffix in (".gz", ".bz2", ".zst", ".xz") else data.suffix
    try:
        check_writable(Path(f"release{extension}"))
    except ShoalError:
        return ".parquet"
    return extension


def _forecast(found: Any) -> dict[str, Any]:
    return {**asdict(found), "lines": str(found).split("\n")}
