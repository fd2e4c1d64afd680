// Wingbeat's flocks for C# and Unity, by P/Invoke.
//
// UNTESTED: no check compiles this file, and it was never opened in Unity. It was compiled and run once by hand, with Mono 6.8 on Linux;
// nobody compares it with include/wingbeat.h since. Please report what is wrong with it.
//
// Unity: put this file under Assets, and libwingbeat.so, libwingbeat.dylib or wingbeat.dll (cargo calls it wingbeat_capi.dll) under
// Assets/Plugins. Marshal.Copy takes columns into arrays; with "unsafe" or NativeArray one can read them where they are.

using System;
using System.Runtime.InteropServices;
using System.Text;

public enum WingbeatStatus { Ok, ErrorHandle, ErrorNull, ErrorSize, ErrorId, ErrorInvalid, ErrorMachine, ErrorPanic }

public enum WingbeatEventKind : byte { Captured, Arrived, Exited, Squeezed, Left, Entered }

[StructLayout(LayoutKind.Sequential)]
public struct WingbeatState
{
    public ulong Steps;
    public double Time;
    public double Dt;
    public UIntPtr Count;
    public uint Dimensions;
    public uint Threads;
    public IntPtr Level;
}

[StructLayout(LayoutKind.Sequential)]
public struct WingbeatColumns
{
    public IntPtr Data;
    public UIntPtr Stride;
    public UIntPtr Count;
    public uint Dimensions;
}

[StructLayout(LayoutKind.Sequential)]
public struct WingbeatIds
{
    public IntPtr Data;
    public UIntPtr Count;
}

[StructLayout(LayoutKind.Sequential)]
public struct WingbeatEvents
{
    public IntPtr Step;
    public IntPtr Kind;
    public IntPtr Boid;
    public IntPtr Other;
    public UIntPtr Count;
}

/// Other: whom a captor caught, or the place of a drive, exit or source in the scene; ulong.MaxValue where there is none.
public struct WingbeatEvent
{
    public ulong Step;
    public WingbeatEventKind Kind;
    public ulong Boid;
    public ulong Other;
}

public sealed class WingbeatException : Exception
{
    public readonly WingbeatStatus Status;

    public WingbeatException(WingbeatStatus status, string text) : base(text) { Status = status; }
}

/// A flock. Dispose frees it.
public sealed class WingbeatFlock : IDisposable
{
    private ulong flock;

    /// A preset's name, or the path of a scene.
    public WingbeatFlock(string scene) { Check(wingbeat_open(Utf8(scene), IntPtr.Zero, out flock)); }

    private WingbeatFlock(ulong opened) { flock = opened; }

    /// From a scene's TOML.
    public static WingbeatFlock Parse(string toml)
    {
        ulong opened;
        Check(wingbeat_open_toml(null, Utf8(toml), IntPtr.Zero, out opened));
        return new WingbeatFlock(opened);
    }

    public void Dispose()
    {
        if (flock != 0) wingbeat_free(flock);
        flock = 0;
        GC.SuppressFinalize(this);
    }

    ~WingbeatFlock() { Dispose(); }

    public void Step(ulong steps = 1) { Check(wingbeat_step(flock, steps)); }

    public void Set(string key, string value) { Check(wingbeat_set(flock, Utf8(key), Utf8(value))); }

    public WingbeatState State
    {
        get { WingbeatState state; Check(wingbeat_state(flock, out state)); return state; }
    }

    public ulong StateHash
    {
        get { ulong hash; Check(wingbeat_state_hash(flock, out hash)); return hash; }
    }

    /// Positions, one array for each axis; rows are those of Ids.
    public float[][] Positions() { WingbeatColumns columns; Check(wingbeat_positions(flock, out columns)); return Axes(columns); }

    /// Velocities, in the same way.
    public float[][] Velocities() { WingbeatColumns columns; Check(wingbeat_velocities(flock, out columns)); return Axes(columns); }

    public ulong[] Ids()
    {
        WingbeatIds ids;
        Check(wingbeat_ids(flock, out ids));
        var copied = new long[(int)ids.Count];
        if (copied.Length > 0) Marshal.Copy(ids.Data, copied, 0, copied.Length);
        return Array.ConvertAll(copied, id => unchecked((ulong)id));
    }

    /// The boids within a radius of a point, which has as many numbers as there are dimensions.
    public ulong[] Within(float[] point, float radius)
    {
        UIntPtr needed;
        Check(wingbeat_within(flock, point, radius, null, null, UIntPtr.Zero, out needed));
        var ids = new ulong[(int)needed];
        if (ids.Length > 0) Check(wingbeat_within(flock, point, radius, ids, null, needed, out needed));
        return ids;
    }

    /// What happened in the steps of the last Step.
    public WingbeatEvent[] Events()
    {
        WingbeatEvents events;
        Check(wingbeat_events(flock, out events));
        var copied = new WingbeatEvent[(int)events.Count];
        for (int i = 0; i < copied.Length; i++)
        {
            copied[i].Step = unchecked((ulong)Marshal.ReadInt64(events.Step, i * 8));
            copied[i].Kind = (WingbeatEventKind)Marshal.ReadByte(events.Kind, i);
            copied[i].Boid = unchecked((ulong)Marshal.ReadInt64(events.Boid, i * 8));
            copied[i].Other = unchecked((ulong)Marshal.ReadInt64(events.Other, i * 8));
        }
        return copied;
    }

    /// rows: as many numbers for each id as there are dimensions.
    public void SetPositions(ulong[] ids, float[] rows)
    {
        Check(wingbeat_set_positions(flock, ids, (UIntPtr)ids.Length, rows, (UIntPtr)rows.Length));
    }

    public void SetGoals(ulong[] ids, float[] rows)
    {
        Check(wingbeat_set_goals(flock, ids, (UIntPtr)ids.Length, rows, (UIntPtr)rows.Length));
    }

    public void Remove(ulong[] ids) { Check(wingbeat_remove(flock, ids, (UIntPtr)ids.Length)); }

    /// The id of the first; those of the others follow.
    public ulong Add(float[] positions, float[] velocities)
    {
        if (positions.Length != velocities.Length) throw new ArgumentException("as many velocities as positions are needed");
        ulong first;
        Check(wingbeat_add(flock, positions, velocities, (UIntPtr)positions.Length, out first));
        return first;
    }

    public byte[] Checkpoint()
    {
        UIntPtr needed;
        Check(wingbeat_checkpoint(flock, null, UIntPtr.Zero, out needed));
        var bytes = new byte[(int)needed];
        Check(wingbeat_checkpoint(flock, bytes, needed, out needed));
        return bytes;
    }

    public void Restore(byte[] bytes) { Check(wingbeat_restore(flock, bytes, (UIntPtr)bytes.Length)); }

    private static float[][] Axes(WingbeatColumns columns)
    {
        var axes = new float[columns.Dimensions][];
        for (int axis = 0; axis < axes.Length; axis++)
        {
            axes[axis] = new float[(int)columns.Count];
            if (columns.Data == IntPtr.Zero) continue;
            var begin = new IntPtr(columns.Data.ToInt64() + axis * (long)columns.Stride * sizeof(float));
            Marshal.Copy(begin, axes[axis], 0, axes[axis].Length);
        }
        return axes;
    }

    private static byte[] Utf8(string text) { return Encoding.UTF8.GetBytes(text + "\0"); }

    private static void Check(WingbeatStatus status)
    {
        if (status == WingbeatStatus.Ok) return;
        IntPtr text = wingbeat_last_error();
        int length = 0;
        while (Marshal.ReadByte(text, length) != 0) length++;
        var bytes = new byte[length];
        Marshal.Copy(text, bytes, 0, length);
        throw new WingbeatException(status, Encoding.UTF8.GetString(bytes));
    }

    private const string Library = "wingbeat";
    private const CallingConvention C = CallingConvention.Cdecl;

    [DllImport(Library, CallingConvention = C)] private static extern IntPtr wingbeat_last_error();
    [DllImport(Library, CallingConvention = C)] private static extern WingbeatStatus wingbeat_open(byte[] scene, IntPtr options, out ulong flock);
    [DllImport(Library, CallingConvention = C)] private static extern WingbeatStatus wingbeat_open_toml(byte[] name, byte[] toml, IntPtr options, out ulong flock);
    [DllImport(Library, CallingConvention = C)] private static extern WingbeatStatus wingbeat_free(ulong flock);
    [DllImport(Library, CallingConvention = C)] private static extern WingbeatStatus wingbeat_step(ulong flock, ulong steps);
    [DllImport(Library, CallingConvention = C)] private static extern WingbeatStatus wingbeat_state(ulong flock, out WingbeatState state);
    [DllImport(Library, CallingConvention = C)] private static extern WingbeatStatus wingbeat_state_hash(ulong flock, out ulong hash);
    [DllImport(Library, CallingConvention = C)] private static extern WingbeatStatus wingbeat_positions(ulong flock, out WingbeatColumns columns);
    [DllImport(Library, CallingConvention = C)] private static extern WingbeatStatus wingbeat_velocities(ulong flock, out WingbeatColumns columns);
    [DllImport(Library, CallingConvention = C)] private static extern WingbeatStatus wingbeat_ids(ulong flock, out WingbeatIds ids);
    [DllImport(Library, CallingConvention = C)] private static extern WingbeatStatus wingbeat_within(ulong flock, float[] point, float radius, ulong[] ids, float[] distances, UIntPtr capacity, out UIntPtr needed);
    [DllImport(Library, CallingConvention = C)] private static extern WingbeatStatus wingbeat_events(ulong flock, out WingbeatEvents events);
    [DllImport(Library, CallingConvention = C)] private static extern WingbeatStatus wingbeat_set(ulong flock, byte[] key, byte[] value);
    [DllImport(Library, CallingConvention = C)] private static extern WingbeatStatus wingbeat_set_positions(ulong flock, ulong[] ids, UIntPtr count, float[] rows, UIntPtr numbers);
    [DllImport(Library, CallingConvention = C)] private static extern WingbeatStatus wingbeat_set_goals(ulong flock, ulong[] ids, UIntPtr count, float[] rows, UIntPtr numbers);
    [DllImport(Library, CallingConvention = C)] private static extern WingbeatStatus wingbeat_add(ulong flock, float[] positions, float[] velocities, UIntPtr numbers, out ulong first);
    [DllImport(Library, CallingConvention = C)] private static extern WingbeatStatus wingbeat_remove(ulong flock, ulong[] ids, UIntPtr count);
    [DllImport(Library, CallingConvention = C)] private static extern WingbeatStatus wingbeat_checkpoint(ulong flock, byte[] bytes, UIntPtr capacity, out UIntPtr needed);
    [DllImport(Library, CallingConvention = C)] private static extern WingbeatStatus wingbeat_restore(ulong flock, byte[] bytes, UIntPtr size);
}
